/** The piles of characters: the top one of each guild. */

import { h, ListPanel } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/tips.js";
import { characterFacts, characterTip } from "./facts.js";

export class Piles extends ListPanel {
  constructor() {
    super("piles", "piles-area", t("characters"));
  }

  /** Show the tops. */
  render(table) {
    this.show(table.piles);
  }

  line({ spot, guild, drawing, size, top }) {
    const name = top ? t(`character_${top}`) : t("pile_empty");
    const words = `${t(`suit_${guild}`)}: ${name}${top ? `. ${t(`power_${top}_long`)} ${t("points")}: ${characterFacts(top).points}. ${t("pile_size", { n: size })}` : ""}`;
    const line = h(
      "div",
      {
        class: `pile suit-${guild}${top ? "" : " empty"}`,
        "data-spot": spot,
        "data-stop": true,
        tabindex: -1,
        role: "img",
        "aria-label": words,
      },
      h(
        "span",
        { class: "pile-sign" },
        picture(drawing),
        size ? h("span", { class: "pile-size" }, String(size)) : null,
      ),
      h("span", { class: "pile-text" }, h("b", {}, name), top ? h("small", {}, t(`power_${top}`)) : null),
      top ? starOf(characterFacts(top).points) : null,
    );
    return tip(line, () =>
      top ? [...characterTip(top), h("span", { class: "tip-line" }, t("pile_size", { n: size }))] : t("pile_empty_tip"),
    );
  }
}

/** A star with points on it. */
export const starOf = (points) => h("span", { class: "star-points" }, picture("star"), h("b", {}, String(points)));
