/** The last few moves in words. */

import { h, panel, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";

const SHOWN = 12;

export class LastMoves {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.list = h("ol", { class: "last-moves" });
    this.element = panel("last-moves-area", t("last_moves"), this.list);
  }

  /** Show the moves that led to the moment that is shown, the last one first. @param {Protocol.State} state */
  render(entries, state) {
    const { seats, game } = this.page;
    const shown = entries.slice(0, state.shown).slice(-SHOWN).reverse();
    const line = ({ seat, word }) =>
      h(
        "li",
        {},
        picture(game.seatSign(seat), "pawn"),
        h("span", {}, h("span", { class: "unseen" }, `${seats.name(seat)}: `), game.sentenceOf(word)),
      );
    refill(this.list, shown.map(line));
    this.element.hidden = !shown.length;
  }
}
