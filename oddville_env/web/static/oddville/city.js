/** The city: its cards on the meadow, the cells where a building may lie, and what it would bring there. */

import { h, refill, s } from "../shell/base/dom.js";
import { use } from "../shell/base/drawings.js";
import { percent, t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { drawnTouch, seen } from "../shell/table/highlights.js";
import { ZoomView } from "../shell/table/zoom_view.js";
import { buildingTip, buildingWords, line } from "./facts.js";

const CELL = 100;
const HEM = 12;
const SEEN = { closest: 180, widest: 2400 };
const ROOM = { width: 660, height: 330 };

/** The box of some cells, with room around it: few cards are not shown larger than they are. */
function boxOf(cells) {
  const [columns, lines] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
  const [x, y] = [columns, lines].map((places) => Math.min(...places) * CELL - HEM);
  const width = (Math.max(...columns) + 1) * CELL + HEM - x;
  const height = (Math.max(...lines) + 1) * CELL + HEM - y;
  const more = Math.max(ROOM.width - width, 0);
  return { x: x - more / 2, y, width: width + more, height: Math.max(height, ROOM.height) };
}

export class City {
  constructor() {
    this.ground = s("g");
    this.cards = s("g");
    this.warmth = s("g.warmth");
    this.offers = s("g");
    const marks = { "data-roving": true, role: "group", "aria-label": t("city") };
    this.svg = s("svg.city", marks, this.ground, this.cards, this.warmth, this.offers);
    this.view = new ZoomView(this.svg, SEEN);
    this.element = this.view.framed("section.city-area");
  }

  /** Show the cards. */
  render(table, names) {
    const range = ([first, last]) => Array.from({ length: last - first + 1 }, (_, step) => first + step);
    const [columns, lines] = [table.window.columns, table.window.lines].map(range);
    this.taken = [[0, 0], ...table.city.map(({ column, line }) => [column, line])];
    const drawn = lines.flatMap((row) =>
      columns.map((column) => use("plot", { ...placed(column, row), "data-plot": `cell:${column},${row}` })),
    );
    refill(this.ground, drawn);
    refill(this.cards, this.square(table.square), ...table.city.map((card) => this.card(card, names)));
    refill(this.offers);
  }

  square({ spot, drawing, fields }) {
    const whole = s("g", seen(spot, t("square")), use(drawing, placed(0, 0)));
    tip(whole, () => [h("strong", t("square")), h("span.tip-line", t("square_tip"))]);
    const places = fields.map((field) => {
      const [x, y] = field.at;
      const label = t("square_field", { resource: t(`resource_${field.resource}`) });
      return s("circle.field", { ...drawnTouch(field.spot, label), cx: x, cy: y, r: 16 });
    });
    return [whole, places];
  }

  card({ spot, column, line: row, card, owner, drawing, value, last }, names) {
    const words = `${t("cell", { column, line: row })}: ${buildingWords(card)}. ${t("owned_by", { name: names(owner) })}, ${t("worth_now", { n: value })}`;
    const glow = last ? use("glow", { ...placed(column, row), class: "last" }) : null;
    const drawn = s("g.city-card", seen(spot, words), use(drawing, placed(column, row)), glow);
    return tip(drawn, () => buildingTip(card, [line(t("owner"), names(owner)), line(t("worth_here"), String(value))]));
  }

  /** Show where the chosen building may lie, with what it would bring. @param {import("../shell/table/choice.js").Choice} choice */
  light(choice) {
    const { offered } = choice;
    const builds = choice.candidates.filter((move) => move.kind === "build" && offered.has(move.path[1]));
    const staged = choice.staged?.kind === "build" ? choice.staged : null;
    this.view.frame(boxOf([...this.taken, ...builds.map(({ parts }) => parts.cell)]));
    refill(this.offers, staged ? this.ghost(staged) : builds.map(this.offer, this));
  }

  offer({ path, parts, worth, bonuses = [] }) {
    const [column, row] = parts.cell;
    const words = bonuses.map((bonus) => t(`bonus_${bonus}`)).join(", ") || t("none");
    const label = `${t("cell", { column, line: row })}: ${t("worth_now", { n: worth })}; ${t("bonuses")}: ${words}`;
    const start = 50 - (bonuses.length - 1) * 11;
    return s(
      "g.cell.lit",
      { ...drawnTouch(path[1], label), transform: `translate(${column * CELL} ${row * CELL})` },
      s("rect", { x: 5, y: 5, width: 90, height: 90, rx: 9 }),
      use("star", { x: 30, y: 12, width: 40, height: 40 }),
      s("text", { x: 50, y: 39, "text-anchor": "middle" }, String(worth ?? "")),
      bonuses.map((bonus, place) =>
        use(`bonus-${bonus}`, { x: start + 22 * place - 10, y: 62, width: 20, height: 20 }),
      ),
    );
  }

  ghost({ path, parts, drawing }) {
    const [column, row] = parts.cell;
    return s(
      "g.cell.chosen",
      drawnTouch(path[1], t("confirm")),
      use(drawing, placed(column, row)),
      s("rect", { x: column * CELL + 2, y: row * CELL + 2, width: 96, height: 96, rx: 8 }),
    );
  }

  /** Colour cells by what an agent thinks of them: spot -> {share, value}; null: no more. */
  heat(spots) {
    const cells = Object.entries(spots ?? {}).filter(([spot]) => spot.startsWith("cell:"));
    const drawn = cells.map(([spot, { share, value }]) => {
      const [column, row] = spot.slice(5).split(",").map(Number);
      const square = s("rect", { x: 4, y: 4, width: 92, height: 92, rx: 8, "fill-opacity": 0.12 + 0.6 * share });
      const chance = value === null ? "" : percent(value);
      const words = s("text", { x: 50, y: 92, "text-anchor": "middle" }, chance);
      return s("g", { transform: `translate(${column * CELL} ${row * CELL})` }, square, words);
    });
    refill(this.warmth, drawn);
  }
}

const placed = (column, row) => ({ x: column * CELL, y: row * CELL, width: CELL, height: CELL });
