/** All moves in words; each is a jump to its moment. */

import { h, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";

export class MoveList {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.entries = [];
    this.list = h("ol", { class: "moves" });
    this.element = h("div", { class: "move-list" }, this.list);
  }

  /** Take in what is new, and mark the moment that is shown. @param {Protocol.State} state */
  render(state) {
    if (state.list?.entries) this.entries = [...this.entries.slice(0, state.list.from), ...state.list.entries];
    this.entries = this.entries.slice(0, state.moves);
    this.shown = state.shown;
    const focus = document.activeElement?.closest?.(".moves li")?.getAttribute("data-key");
    refill(
      this.list,
      this.line(null),
      this.entries.map((entry) => this.line(entry)),
    );
    if (focus) this.list.querySelector(`[data-key="${focus}"] button`)?.focus({ preventScroll: true });
    this.showCurrent();
  }

  line(entry) {
    const { page } = this;
    const move = entry?.move ?? 0;
    const go = () => page.send({ type: "go", move: move === page.state.moves && !page.state.over ? null : move });
    const words = entry ? page.game.sentenceOf(entry.word) : t("beginning");
    const scores = entry?.scores ? h("small", {}, entry.scores.join("·")) : null;
    return h(
      "li",
      { "data-key": `m${move}` },
      h(
        "button",
        { type: "button", class: "move", onclick: go, "aria-current": move === this.shown ? "step" : null },
        h("i", {}, String(move)),
        entry ? picture(page.game.seatSign(entry.seat), "pawn") : h("span"),
        h("span", {}, entry ? h("span", { class: "unseen" }, `${page.seats.name(entry.seat)}: `) : null, words),
        scores,
      ),
    );
  }

  /** Scroll to the moment that is shown. */
  showCurrent() {
    if (this.element.closest("[hidden]")) return; // measuring what nobody sees costs a layout of the page
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.parentElement.scrollTop = current.offsetTop - this.list.parentElement.clientHeight / 2;
  }
}
