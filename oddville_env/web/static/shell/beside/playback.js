/** Moving through time: play, pause, step and speed, and what happened since the visitor looked last. */

import { button, choice, h, iconButton, Part, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { announce } from "../base/overlays.js";
import { preferences, store, stored } from "../base/storage.js";
import { moving } from "../table/animation.js";
import { runsOwnClock } from "../table/seats.js";

const PACES = [0.25, 0.5, 1, 2, 4];
const BASE = 1.4; // seconds for a move at speed 1

export class Playback extends Part {
  speed = 1;
  timer = null;
  asked = false; // for a moment that has not come yet
  element = h(".playback", { role: "group", "aria-label": t("playback") });

  /** Do agents alone play here, live? */
  get live() {
    const { state } = this.page;
    const agents = state.seats.length > 0 && state.seats.every((seat) => seat.kind === "agent");
    return agents && !state.over && state.newest && state.may.pause;
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
    const oninput = (event) => this.go(Number(event.target.value));
    const range = { type: "range", min: 0, max: state.moves, value: String(state.shown), disabled: !state.moves };
    return h("input", { ...range, oninput, "aria-label": t("moment"), id: "moment" });
  }

  buttons(state) {
    const step = (icon, key, name, act, disabled) => iconButton(icon, t(name), act, { "data-key": key, disabled });
    const play = this.running ? "pause" : "play";
    return [
      step("first", "first", "to_first", () => this.go(0), !state.shown),
      step("back", "step-back", "step_back", () => this.step(-1), !state.shown),
      step(play, "play", play, () => this.toggle(), state.newest && !this.live),
      step("next", "step-on", "step_on", () => this.step(1), state.newest && !(this.live && state.paused)),
      step("last", "last", "to_last", () => this.go(null), state.newest),
      this.speeds(),
    ];
  }

  speeds() {
    const change = (speed) => {
      this.speed = Number(speed);
      if (this.live) this.page.send({ type: "pace", seconds: BASE / this.speed });
      if (this.timer) this.start();
    };
    const speeds = PACES.map((speed) => [speed, `${speed}×`]);
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
}

const KEPT = "oddville.seen";
const REMEMBERED = 24; // games
const MOST = 40; // moves that are played once more; of more the last ones
/** How fast, of the speeds that the playback offers. */
export const SPEEDS = { off: 0, slow: 0.5, normal: 1, fast: 2 };

const seenOf = (key) => stored(KEPT, {})[key] ?? null;

export class Missed extends Part {
  constructor(page) {
    super(page);
    this.key = page.where.id + page.where.key;
    this.seen = seenOf(this.key);
    this.from = null; // the move after which the replay began, while it runs
    this.begun = false; // the first moment of it has come
    this.element = h("section.missed", { role: "group", "aria-label": t("prefer_replay"), hidden: true });
    this.back = () => document.hidden || !page.state || this.look(page.state, false);
    document.addEventListener("visibilitychange", this.back);
  }

  leave() {
    document.removeEventListener("visibilitychange", this.back);
  }

  get running() {
    return this.from !== null;
  }

  /** @param {Protocol.State} state */
  render(state) {
    if (this.running) this.follow(state);
    else if (!document.hidden) this.look(state, state.reason === "move");
  }

  /** Show what is new: not moves that were shown live, and nothing in a lesson or where a moment was asked for. @param {Protocol.State} state */
  look(state, live) {
    const { page } = this;
    if (page.hello.replay || page.where.moment !== undefined || !state.newest || this.running) return;
    const kept = seenOf(this.key); // another tab may have shown more
    const seen = this.seen === null ? kept : Math.max(kept, this.seen);
    this.see(state.moves);
    if (state.reason === "go" || page.lesson) return;
    if (seen === null || state.moves <= seen || (live && state.moves === seen + 1)) return;
    if (page.panels.list.entries.slice(seen).every(({ seat }) => state.seats[seat]?.mine)) return;
    if (!SPEEDS[preferences.replay]) return;
    if (moving() && !runsOwnClock(state)) this.begin(Math.max(seen, state.moves - MOST));
    else this.list(seen);
  }

  /** Keep how many moves of a game were seen, of the games that were looked at last. */
  see(moves) {
    const { [this.key]: _, ...others } = stored(KEPT, {});
    const games = [...Object.entries(others), [this.key, moves]];
    if (moves !== this.seen) store(KEPT, Object.fromEntries(games.slice(-REMEMBERED)));
    this.seen = moves;
  }

  /** Play the moves once more, as the playback does it. */
  begin(from) {
    const { playback } = this.page.panels;
    this.from = from;
    this.begun = false;
    this.speed = playback.speed;
    playback.speed = SPEEDS[preferences.replay];
    playback.go(from);
    announce(t("missed_n", { n: this.seen - from }));
  }

  /** A moment of the replay, or its end; what others do before the first moment has come does not end it. @param {Protocol.State} state */
  follow(state) {
    const { page } = this;
    const { playback } = page.panels;
    if (runsOwnClock(state)) return this.end(state);
    if (state.newest) return this.begun || !["move", "seats"].includes(state.reason) ? this.end(state) : null;
    if (!this.begun) {
      this.begun = true;
      playback.start();
      playback.render(state);
    }
    const last = page.panels.list.entries[state.shown - 1];
    const n = state.shown - this.from;
    const all = state.moves - this.from;
    if (n < 0) return null;
    const move = n && last ? [page.seats.name(last.seat), " ", page.game.told(last), "."] : "";
    return this.show(
      h("p", h("b", t("missed_n", { n: all })), n ? ` ${t("missed_at", { n, all })} ` : " ", h("span", move)),
      button(t("missed_skip"), () => this.skip(), { "data-key": "skip", title: "Escape" }),
    );
  }

  /** With less motion, or while one's clock runs, the moves are a list. */
  list(from) {
    const { page } = this;
    const entries = page.panels.list.entries.slice(from);
    announce(t("missed_n", { n: entries.length }));
    const line = (entry) => h("li", h("b", page.seats.name(entry.seat)), " ", page.game.told(entry), ".");
    this.show(
      h("p", h("b", t("missed_n", { n: entries.length }))),
      button(t("got_it"), () => this.skip(), { "data-key": "got-missed", title: "Escape" }),
      h("ol.missed-moves", { tabindex: 0, "aria-label": t("missed_n", { n: entries.length }) }, entries.map(line)),
    );
  }

  show(...parts) {
    this.element.hidden = false;
    refill(this.element, parts);
  }

  /** To the present at once; whether there was something to skip. */
  skip() {
    if (this.element.hidden && !this.running) return false;
    if (this.running) {
      this.page.panels.playback.go(null);
      announce(this.page.news(this.page.state));
    }
    this.close();
    this.page.light(); // the focus goes back to the table
    return true;
  }

  end(state) {
    const there = state.newest && state.reason === "go";
    if (!there) this.page.panels.playback.go(null); // a moment that was asked for may still come
    this.close();
    this.see(state.moves);
    if (state.reason === "go") announce(this.page.news(state)); // of a move it is said anyway
  }

  close() {
    const { playback } = this.page.panels;
    if (this.running) {
      playback.stop();
      playback.speed = this.speed;
      playback.render(this.page.state);
    }
    this.from = null;
    this.element.hidden = true;
    refill(this.element);
  }
}
