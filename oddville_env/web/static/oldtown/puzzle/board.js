/** The town of a puzzle, its clues and its buildings, and the pencil marks on them. */

import { h, refill, s } from "../../shell/base/dom.js";
import { picture } from "../../shell/base/drawings.js";
import { t } from "../../shell/base/i18n.js";
import { store, stored } from "../../shell/base/storage.js";
import { clueParts } from "../cards.js";
import { cardStyle, clue, nameOf, theNames } from "../facts.js";
import { groundOf, houseOf, placed, townPicture } from "../town.js";

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
    refill(this.lots, ...this.table.lots.map((lot) => this.lot(lot, building, clueLots)));
  }

  lot({ lot, at: [x, y], side, house, pencil }, chosen, clueLots) {
    const there = this.table.town.filter((one) => this.marks.lots(one.building).includes(lot));
    const lone = there.length === 1 && this.marks.stands(there[0].building) === lot ? there[0].building : null;
    const marked = chosen !== null && this.marks.lots(chosen).includes(lot);
    const names = there.map(({ building }) => nameOf(building)).join(", ");
    const classes = `puzzle-lot${marked ? " marked" : ""}${clueLots.includes(lot) ? " of-clue" : ""}`;
    const label = t(names ? "pencil_lot" : "pencil_lot_empty", { lot, names });
    const place = { "data-lot": lot, "data-key": `lot-${lot}`, "data-stop": true, tabindex: -1, role: "button" };
    return s(
      "g",
      { ...place, class: classes, "aria-pressed": String(marked), "aria-label": label },
      s("rect", { x: x + 2, y: y + 2, width: side - 4, height: side - 4, rx: 7 }),
      lone ? houseOf(lone, house, y + side) : there.map((one) => this.small(one, pencil, chosen, lot)),
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

/** A line of a list that can be touched; `chosen`: it has been. */
const pressable = (kind, chosen, key, attributes, ...parts) => {
  const marks = { type: "button", class: `${kind}${chosen ? " chosen" : ""}`, "aria-pressed": String(chosen) };
  return h("button", { ...marks, "data-key": key, "data-stop": true, ...attributes }, parts);
};

/** A clue that can be touched. */
export function clueLine(one, chosen, touched) {
  const { building, card } = one;
  const marks = { onclick: () => touched(one), style: cardStyle(building) };
  return pressable("clue", card === chosen, `clue-${card}`, marks, clueParts(one, clueWords(one)));
}

/** A building of the town that can be touched, with the lots that are marked for it. */
export function townLine({ building, drawing }, chosen, touched, marks) {
  const lots = marks.lots(building);
  const several = lots.length > FEW ? t("pencil_lots", { n: lots.length }) : lots.join(" · ");
  return pressable(
    `building-line${lots.length === 1 ? " stands" : ""}`,
    building === chosen,
    `building-${building}`,
    { onclick: () => touched(building) },
    picture(drawing),
    h("b", nameOf(building)),
    h("small", [t("pencil_open"), t("town_on_lot", { lot: lots[0] })][lots.length] ?? several),
  );
}

const MOST = 500; // steps that can be taken back

export class Marks {
  constructor(kept, town) {
    this.kept = kept;
    this.town = town;
    const saved = this.kept ? stored(this.kept, {}) : {};
    this.of = saved.of ?? {};
    this.before = saved.before ?? [];
  }

  /** The lots of a building. */
  lots(building) {
    return this.of[building] ?? [];
  }

  /** Where a building stands by the marks; null while there are several lots, or none. */
  stands(building) {
    const lots = this.lots(building);
    return lots.length === 1 ? lots[0] : null;
  }

  /** Set or wipe out one mark. */
  toggle(building, lot) {
    const others = this.lots(building).filter((one) => one !== lot);
    const more = this.lots(building).includes(lot) ? [] : [lot];
    this.change({ ...this.of, [building]: [...others, ...more].sort((one, other) => one - other) });
  }

  /** A building is left these lots, as far as it has marks already. */
  leave(parts) {
    const next = { ...this.of };
    for (const { building, lots } of parts) {
      const had = this.lots(building);
      next[building] = had.length ? had.filter((lot) => lots.includes(lot)) : lots;
    }
    this.change(next);
  }

  change(next) {
    this.before = [...this.before, this.of].slice(-MOST);
    this.of = next;
    this.save();
  }

  /** Take the last change back. */
  undo() {
    if (!this.before.length) return;
    this.of = this.before.at(-1);
    this.before = this.before.slice(0, -1);
    this.save();
  }

  save() {
    if (this.kept) store(this.kept, { of: this.of, before: this.before.slice(-20) });
  }

  /** How many buildings stand. */
  get standing() {
    return this.town.filter((building) => this.stands(building) !== null).length;
  }
}
