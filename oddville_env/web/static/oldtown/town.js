/** The town: its lots with tokens and houses, and what a move would change there. */

import { refill, s } from "../shell/base/dom.js";
import { use } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { drawnTouch } from "../shell/table/highlights.js";
import { ZoomView } from "../shell/table/zoom_view.js";
import { capital, nameOf, theName } from "./facts.js";

const LETTERS = 15; // the height of a token's name
const WIDTH = 0.6; // of a letter, by its height
const SIDE = 662;

/** A drawing with its middle at a place. */
export const placed = (drawing, { at: [x, y], size }, attributes = {}) =>
  use(drawing, { x: x - size / 2, y: y - size / 2, width: size, height: size, ...attributes });

/** The house of a building with its name below it, at the bottom of its lot. */
export const houseOf = (building, place, bottom) => [
  placed(`house-${building}`, place),
  s("text", { x: place.at[0], y: bottom - 8, "text-anchor": "middle", "font-size": LETTERS }, nameOf(building)),
];

/** The ground of the town, on which all else lies. */
export const groundOf = (table) =>
  use(table.ground.drawing, { class: "town-ground", x: 0, y: 0, width: SIDE, height: SIDE });

/** A picture of the town, whose parts are walked through by arrow keys. */
export const townPicture = (classes, label, ...parts) =>
  s(
    "svg",
    { class: classes, viewBox: `0 0 ${SIDE} ${SIDE}`, "data-roving": true, role: "group", "aria-label": label },
    ...parts,
  );

export class Town {
  constructor() {
    this.floor = s("g");
    this.things = s("g");
    this.change = s("g.change", { "aria-hidden": "true" });
    this.warmth = s("g.warmth", { "aria-hidden": "true" });
    this.svg = townPicture("town", t("town_town"), this.floor, this.things, this.warmth, this.change);
    this.view = new ZoomView(this.svg, { closest: SIDE / 5, widest: SIDE });
    this.view.frame({ x: 0, y: 0, width: SIDE, height: SIDE });
    this.element = this.view.framed(".town-frame");
  }

  /** Show the tokens and the houses. */
  render(table) {
    this.lots = new Map(table.lots.map((lot) => [lot.lot, lot]));
    refill(this.floor, groundOf(table));
    refill(this.things, table.lots.map(this.lot, this));
    refill(this.change);
  }

  lot({ spot, lot, at: [x, y], side, house, tokens }) {
    return s(
      "g",
      { "data-spot": spot, class: "lot" },
      s("rect", { x, y, width: side, height: side, rx: 7, class: "lot-ground" }),
      house ? this.house(house, lot, y + side) : tokens.map((token) => this.token(token, lot, x + side)),
    );
  }

  house(house, lot, bottom) {
    const words = t("town_stands", { name: capital(theName(house.building)), lot });
    return s(
      "g",
      { "data-stop": true, tabindex: -1, role: "img", "aria-label": words, class: "house" },
      houseOf(house.building, house, bottom),
    );
  }

  token(token, lot, right) {
    const { size, spot, building, drawing } = token;
    const [x, y] = token.at;
    const name = nameOf(building);
    const start = x + size / 2 + 6;
    const row = s("rect.token-row", {
      x: x - size / 2 - 4,
      y: y - size / 2 - 1,
      width: right - x + size / 2 - 2,
      height: size + 2,
      rx: size / 2,
    });
    const words = s(
      "text",
      { x: start, y: y + 0.36 * LETTERS, "font-size": Math.min(LETTERS, (right - start - 4) / (WIDTH * name.length)) },
      name,
    );
    return s(
      "g.token",
      drawnTouch(spot, t("town_maybe", { name: capital(theName(building)), lot })),
      row,
      placed(drawing, token),
      words,
    );
  }

  /** Show what a move would do: tokens that go, tokens that come, houses. */
  preview({ goes = [], comes = [], stands = [] } = {}) {
    const free = new Map([...this.lots].map(([lot, about]) => [lot, [...about.free]]));
    refill(
      this.change,
      goes.map(({ building, lot }) => this.gone(building, lot)),
      comes.map(({ building, lot }) => this.coming(building, free.get(lot).shift())),
      stands.map(({ building, lot }) => this.standing(building, this.lots.get(lot))),
    );
  }

  gone(building, lot) {
    const token = this.lots.get(lot).tokens.find((one) => one.building === building);
    if (!token) return null;
    const [x, y] = token.at;
    const arm = token.size / 2 - 3;
    return s(
      "g.goes",
      s("circle", { cx: x, cy: y, r: token.size / 2 + 2 }),
      s("path", { d: `M${x - arm} ${y - arm} L${x + arm} ${y + arm} M${x + arm} ${y - arm} L${x - arm} ${y + arm}` }),
    );
  }

  coming(building, place) {
    if (!place) return null;
    const [x, y] = place.at;
    return s("g.comes", placed(`token-${building}`, place), s("circle", { cx: x, cy: y, r: place.size / 2 + 3 }));
  }

  standing(building, { at: [x, y], side }) {
    return s(
      "g.stands",
      s("rect", { x: x + 2, y: y + 2, width: side - 4, height: side - 4, rx: 7 }),
      placed(`house-${building}`, { at: [x + side / 2, y + side / 2], size: side * 0.76 }),
    );
  }

  /** Colour tokens by what an agent thinks of removing them: spot -> {share, value}; null: no more. */
  heat(spots) {
    const tokens = [...this.lots.values()].flatMap((lot) => lot.tokens).filter(({ spot }) => spots?.[spot]);
    refill(
      this.warmth,
      tokens.map(({ spot, at: [x, y], size }) =>
        s("circle", { cx: x, cy: y, r: size / 2 + 3, "fill-opacity": 0.15 + 0.7 * spots[spot].share }),
      ),
    );
  }
}
