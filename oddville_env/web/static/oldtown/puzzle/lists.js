/** Beside the town of a puzzle: its clues, and its buildings with the lots that are pencilled in. */

import { h, ListPanel } from "../../shell/base/dom.js";
import { picture } from "../../shell/base/drawings.js";
import { t } from "../../shell/base/i18n.js";
import { clue, coloursOf, nameOf, theNames } from "../facts.js";

/** A clue as a sentence. */
export const clueWords = ({ card, building }) => clue(card, building);

const FEW = 4; // lots that are listed

/** What the puzzle tells of the own buildings. */
export const mineWords = ({ mine, mine_count: n }) =>
  mine ? t("pencil_mine", { n, names: theNames(mine, "and") }) : t("pencil_hidden_mine", { n });

/** The clues, each of which can be touched. */
export class Clues extends ListPanel {
  constructor(table, touched) {
    const mine = h("p", { class: "mine-words" }, mineWords(table));
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
      h("span", { class: "clue-sign" }, picture(one.sign.drawing), h("small", {}, String(one.card))),
      h("span", { class: "clue-words" }, clueWords(one)),
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
      h("b", {}, nameOf(building)),
      h("small", {}, words),
    );
  }
}
