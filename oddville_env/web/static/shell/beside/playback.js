/** Moving through time: play, pause, step and speed, of a replay or of agents at play. */

import { choice, h, iconButton, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const BASE = 1.4; // seconds for a move at speed 1

export class Playback {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.speed = 1;
    this.timer = null;
    this.asked = false; // for a moment that has not come yet
    this.element = h(".playback", { role: "group", "aria-label": t("playback") });
  }

  /** Do agents alone play here, live? */
  get live() {
    const { state } = this.page;
    return (
      !state.over &&
      state.newest &&
      state.seats.length > 0 &&
      state.seats.every((seat) => seat.kind === "agent") &&
      state.may.pause
    );
  }

  get running() {
    return this.live ? !this.page.state.paused : this.timer !== null;
  }

  /** @param {Protocol.State} state */
  render(state) {
    this.asked = false;
    this.element.hidden = !state.moves && !state.may.pause;
    if (this.timer && state.newest && !this.live) this.stop();
    refill(this.element, this.slider(state), h(".playback-buttons", this.buttons(state)));
  }

  slider(state) {
    const go = (event) => this.go(Number(event.target.value));
    return h("input", {
      type: "range",
      min: 0,
      max: state.moves,
      value: String(state.shown),
      oninput: go,
      "aria-label": t("moment"),
      id: "moment",
      disabled: !state.moves,
    });
  }

  buttons(state) {
    const { running } = this;
    const step = (icon, key, act, disabled, name = key) =>
      iconButton(icon, t(name), act, { "data-key": key.replace("_", "-"), disabled });
    const atEnd = state.newest && !(this.live && state.paused);
    return [
      step("first", "first", () => this.go(0), !state.shown, "to_first"),
      step("back", "step_back", () => this.step(-1), !state.shown),
      step(
        running ? "pause" : "play",
        "play",
        () => this.toggle(),
        state.newest && !this.live,
        running ? "pause" : "play",
      ),
      step("next", "step_on", () => this.step(1), atEnd),
      step("last", "last", () => this.go(null), state.newest, "to_last"),
      this.speeds(),
    ];
  }

  speeds() {
    const change = (speed) => {
      this.speed = Number(speed);
      if (this.live) this.page.send({ type: "pace", seconds: BASE / this.speed });
      if (this.timer) this.start();
    };
    const speeds = SPEEDS.map((speed) => [speed, `${speed}×`]);
    return choice(speeds, this.speed, change, { "aria-label": t("speed"), id: "speed" });
  }

  go(move) {
    this.asked = true;
    this.page.send({ type: "go", move });
  }

  /** A step on or back; of agents that were paused, their next move. */
  step(by) {
    const { state } = this.page;
    if (by > 0 && state.newest) return this.live && state.paused ? this.page.send({ type: "step" }) : null;
    const next = Math.max(state.shown + by, 0);
    this.go(next >= state.moves ? null : next);
    return null;
  }

  toggle() {
    if (this.live) return this.page.send({ type: "pause", paused: !this.page.state.paused });
    if (this.timer) this.stop();
    else this.start();
    return this.render(this.page.state);
  }

  start() {
    this.stop();
    this.timer = setInterval(() => this.asked || this.page.busy || this.step(1), (BASE * 1000) / this.speed);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  leave() {
    this.stop();
  }
}
