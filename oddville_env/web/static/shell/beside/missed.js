/** What happened since this visitor looked last: played once more in order, at their own speed, or told as a list. */

import { button, h, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { announce } from "../base/overlays.js";
import { preferences, store, stored } from "../base/storage.js";
import { moving } from "../table/animation.js";
import { runsOwnClock } from "../table/seats.js";

const KEPT = "oddville.seen";
const REMEMBERED = 24; // games
const MOST = 40; // moves that are played once more; of more the last ones
/** How fast, of the speeds that the playback offers. */
export const SPEEDS = { off: 0, slow: 0.5, normal: 1, fast: 2 };

/** Keep how many moves of a game were seen, of the games that were looked at last. */
export function keepSeen(key, moves) {
  const { [key]: _, ...others } = stored(KEPT, {});
  store(KEPT, Object.fromEntries([...Object.entries(others), [key, moves]].slice(-REMEMBERED)));
}

export const seenOf = (key) => stored(KEPT, {})[key] ?? null;

export class Missed {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
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

  see(moves) {
    if (moves !== this.seen) keepSeen(this.key, moves);
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
    this.tell(from);
  }

  /** Announce once that there is something. */
  tell(from) {
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
    this.tell(from);
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
