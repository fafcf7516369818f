/** The last few moves in words. */

import { h, refill } from "./dom.js";
import { picture } from "./drawings.js";
import { t } from "./i18n.js";

const SHOWN = 12;

export class Latest {
  constructor(page) {
    this.page = page;
    this.list = h("ol", { class: "latest" });
    this.element = h("section", { class: "latest-area panel", "aria-label": t("latest") }, h("h2", {}, t("latest")), this.list);
  }

  /** Show the moves that led to the moment that is shown, the last one first. */
  render(entries, state) {
    const { seats, game } = this.page;
    const shown = entries.slice(0, state.shown).slice(-SHOWN).reverse();
    const line = ({ seat, word }) => h("li", {}, picture(game.seatSign(seat), "pawn"), h("span", {}, h("span", { class: "unseen" }, `${seats.name(seat)}: `), game.sentenceOf(word)));
    refill(this.list, shown.map(line));
    this.element.hidden = !shown.length;
  }
}
