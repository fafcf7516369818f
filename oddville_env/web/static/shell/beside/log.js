/** The log of a game. */

import { h, panel, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";

export class MoveList {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.entries = [];
    this.list = h("ol.moves");
    this.element = h(".move-list", this.list);
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
      this.entries.map((entry, number) => this.lines(entry, this.entries[number - 1])),
    );
    if (focus) this.list.querySelector(`[data-key="${focus}"] button`)?.focus({ preventScroll: true });
    this.showCurrent();
  }

  /** A move; before the first one of a turn, whose turn it is. */
  lines(entry, before) {
    return [entry.seat === before?.seat ? null : this.head(entry), this.line(entry, before)];
  }

  head({ seat, move }) {
    const { page } = this;
    const sign = picture(page.game.seatSign(seat), "pawn");
    const style = { "--seat-pale": page.colour(seat).pale };
    return h("li.turn-head", { style, "data-key": `t${move}` }, sign, h("b", page.seats.name(seat)));
  }

  line(entry, before) {
    const { page } = this;
    const move = entry?.move ?? 0;
    const go = () => page.send({ type: "go", move: move === page.state.moves && !page.state.over ? null : move });
    const words = entry ? page.game.sentenceOf(entry.word) : t("beginning");
    const points = entry?.scores ? entry.scores[entry.seat] - (before?.scores[entry.seat] ?? 0) : 0;
    const gain = points ? h("b", `${points > 0 ? "+" : "−"}${Math.abs(points)}`) : null;
    const current = move === this.shown ? "step" : null;
    return h(
      "li",
      { "data-key": `m${move}` },
      h(
        "button",
        { type: "button", class: "move", onclick: go, "aria-current": current },
        h("i", String(move)),
        h("span", words),
        gain,
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

const SHOWN = 12;

export class LastMoves {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.list = h("ol.last-moves");
    this.element = panel("last-moves-area", t("last_moves"), this.list);
  }

  /** Show the moves that led to the moment that is shown, the last one first. @param {Protocol.State} state */
  render(entries, state) {
    const { seats, game } = this.page;
    const shown = entries.slice(0, state.shown).slice(-SHOWN).reverse();
    const line = ({ seat, word }) =>
      h(
        "li",
        picture(game.seatSign(seat), "pawn"),
        h("span", h("span.unseen", `${seats.name(seat)}: `), game.sentenceOf(word)),
      );
    refill(this.list, shown.map(line));
    this.element.hidden = !shown.length;
  }
}
