/** The town of a puzzle: lots that can be touched, with all that is pencilled in. */

import { refill, s } from "../../shell/base/dom.js";
import { t } from "../../shell/base/i18n.js";
import { nameOf } from "../facts.js";
import { groundOf, placed, townPicture } from "../town.js";

export class Board {
  /** `touched(lot)` is called for a lot. */
  constructor(table, marks, touched) {
    this.table = table;
    this.marks = marks;
    this.touched = touched;
    this.lots = s("g", {});
    this.svg = townPicture("town puzzle-town", t("pencil_town"), groundOf(table), this.lots);
    this.svg.addEventListener("click", (event) => this.touch(event));
    this.svg.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && this.touch(event));
  }

  touch(event) {
    const lot = event.target.closest?.("[data-lot]")?.dataset.lot;
    if (!lot) return;
    event.preventDefault();
    event.stopPropagation();
    this.touched(Number(lot));
  }

  /** Show the marks; those of the chosen building, and the lots of the chosen clue, stand out. */
  render(building, clueLots) {
    refill(
      this.lots,
      this.table.lots.map((lot) => this.lot(lot, building, clueLots)),
    );
  }

  lot({ lot, at: [x, y], side, house, pencil }, chosen, clueLots) {
    const there = this.table.town.filter((one) => this.marks.lots(one.building).includes(lot));
    const lone = there.length === 1 && this.marks.stands(there[0].building) === lot ? there[0].building : null;
    const marked = chosen !== null && this.marks.lots(chosen).includes(lot);
    const names = there.map(({ building }) => nameOf(building)).join(", ");
    const classes = `puzzle-lot${marked ? " marked" : ""}${clueLots.includes(lot) ? " of-clue" : ""}`;
    return s(
      "g",
      {
        class: classes,
        "data-lot": lot,
        "data-key": `lot-${lot}`,
        "data-stop": true,
        tabindex: -1,
        role: "button",
        "aria-pressed": String(marked),
        "aria-label": t(names ? "pencil_lot" : "pencil_lot_empty", { lot, names }),
      },
      s("rect", { x: x + 2, y: y + 2, width: side - 4, height: side - 4, rx: 7 }),
      lone
        ? [
            placed(`house-${lone}`, house),
            s("text", { x: house.at[0], y: y + side - 8, "text-anchor": "middle", "font-size": 15 }, nameOf(lone)),
          ]
        : there.map((one) => this.small(one, pencil, chosen, lot)),
    );
  }

  small({ building, drawing }, pencil, chosen, lot) {
    const place = pencil[this.table.town.findIndex((one) => one.building === building)];
    const [x, y] = place.at;
    const ring = building === chosen || this.marks.stands(building) === lot;
    return s(
      "g",
      { class: `pencilled${chosen !== null && building !== chosen ? " faint" : ""}` },
      placed(drawing, place),
      ring ? s("circle", { cx: x, cy: y, r: place.size / 2 + 2 }) : null,
    );
  }
}
