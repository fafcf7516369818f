/** The town of a puzzle, its clues and its buildings. */

import { h, ListPanel, refill, s } from "../../shell/base/dom.js";
import { picture } from "../../shell/base/drawings.js";
import { t } from "../../shell/base/i18n.js";
import { clue, coloursOf, nameOf, theNames } from "../facts.js";
import { groundOf, placed, townPicture } from "../town.js";

export class Board {
  /** `touched(lot)` is called for a lot. */
  constructor(table, marks, touched) {
    this.table = table;
    this.marks = marks;
    this.touched = touched;
    this.lots = s("g");
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
    const drawn = this.table.lots.map((lot) => this.lot(lot, building, clueLots));
    refill(this.lots, drawn);
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

/** A clue as a sentence. */
export const clueWords = ({ card, building }) => clue(card, building);

const FEW = 4; // lots that are listed

/** What the puzzle tells of the own buildings. */
export const mineWords = ({ mine, mine_count: n }) =>
  mine ? t("pencil_mine", { n, names: theNames(mine, "and") }) : t("pencil_hidden_mine", { n });

/** The clues, each of which can be touched. */
export class Clues extends ListPanel {
  constructor(table, touched) {
    const mine = h("p.mine-words", mineWords(table));
    super("puzzle-clues", "puzzle-clues-area", t("pencil_clues"), mine);
    this.table = table;
    this.touched = touched;
  }

  render(chosen) {
    this.show(this.table.clues, chosen);
  }

  line(one, chosen) {
    const { pale, full } = coloursOf(one.building);
    const pressed = one.card === chosen;
    const act = () => this.touched(one);
    return h(
      "button",
      {
        type: "button",
        class: `clue${pressed ? " chosen" : ""}`,
        onclick: act,
        "data-key": `clue-${one.card}`,
        "data-stop": true,
        "aria-pressed": String(pressed),
        style: { "--card": full, "--card-pale": pale },
      },
      h("span.clue-sign", picture(one.sign.drawing), h("small", String(one.card))),
      h("span.clue-words", clueWords(one)),
      picture(one.drawing, "plan"),
    );
  }
}

/** The buildings of the town, one of which is chosen. */
export class Palette extends ListPanel {
  constructor(table, marks, touched) {
    super("palette", "palette-area", t("pencil_buildings"));
    this.table = table;
    this.marks = marks;
    this.touched = touched;
  }

  render(chosen) {
    this.show(this.table.town, chosen);
  }

  line({ building, drawing }, chosen) {
    const lots = this.marks.lots(building);
    const words =
      lots.length === 0
        ? t("pencil_open")
        : lots.length === 1
          ? t("town_on_lot", { lot: lots[0] })
          : lots.length > FEW
            ? t("pencil_lots", { n: lots.length })
            : lots.join(" · ");
    const pressed = building === chosen;
    const act = () => this.touched(building);
    return h(
      "button",
      {
        type: "button",
        class: `building-line${pressed ? " chosen" : ""}${lots.length === 1 ? " stands" : ""}`,
        onclick: act,
        "data-key": `building-${building}`,
        "data-stop": true,
        "aria-pressed": String(pressed),
      },
      picture(drawing),
      h("b", nameOf(building)),
      h("small", words),
    );
  }
}
