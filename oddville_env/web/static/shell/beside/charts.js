/** Charts over the moves of a game: win chances and points. */

import { button, h, Part, refill, s, saveFile, saveTable } from "../base/dom.js";
import { percent, t } from "../base/i18n.js";
import { mistakeList, seatChoice } from "./mistakes.js";

const WIDTH = 280;
const HEIGHT = 120;
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "1 2", "12 3"];

const stroke = (colour, place) => ({
  fill: "none",
  stroke: colour,
  "stroke-width": 2.2,
  "stroke-dasharray": DASHES[place % DASHES.length] || null,
});

/** `name`: of its files; `lines`: {name, values (null where unknown), colour, end}, at most `most`; `dots`: {move,
 * value, colour}. The key below says where lines end: `end`, or the last value. The playback goes where it is touched.
 * @param {import("../around/game_page.js").GamePage} page */
function lineChart(page, name, lines, { dots = [], most = 1 }) {
  const { moves, shown } = page.state;
  const ends = lines.map((line) => `${line.name} ${line.end ?? line.values.at(-1) ?? ""}`);
  const last = Math.max(moves, 1);
  const x = (move) => (WIDTH * move) / last;
  const y = (value) => HEIGHT * (1 - value / most);
  const path = (line, place) => s("path", { d: pathOf(line.values, x, y), ...stroke(line.colour, place) });
  const thin = ({ faint, colour }) => s("path.faint", { d: pathOf(faint, x, y), fill: "none", stroke: colour });
  const ring = { r: 4, stroke: "#fff", "stroke-width": 1.5 };
  const mark = ({ move, value, colour }) => s("circle", { ...ring, cx: x(move), cy: y(value), fill: colour });
  const svg = s(
    "svg",
    { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": ends.join(", "), class: "chart" },
    s("rect", { width: WIDTH, height: HEIGHT, class: "ground" }),
    s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "half" }),
    s("line", { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: "now" }),
    lines.filter(({ faint }) => faint).map(thin),
    lines.map(path),
    dots.map(mark),
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const move = Math.round(((event.clientX - box.left) / box.width) * last);
    page.panels.playback.go(move >= last ? null : Math.max(move, 0));
  });
  const sign = { viewBox: "0 0 26 8", "aria-hidden": "true" };
  const sample = (colour, place) => s("svg.sample", sign, s("path", { d: "M0 4H26", ...stroke(colour, place) }));
  const key = lines.map(({ colour }, place) => h("li", sample(colour, place), h("span", ends[place])));
  return [svg, h("ul.chart-key", key), files(`${page.hello.game}-${name}`, svg, lines)];
}

/** The chart as files: its picture, and the values of its lines. */
function files(name, svg, lines) {
  const rows = () =>
    lines[0].values.map((_, move) => [move, ...lines.map(({ faint, values }) => (faint ?? values)[move])]);
  const table = () => saveTable(`${name}.csv`, [["move", ...lines.map((line) => line.name)], ...rows()]);
  const drawing = () => saveFile(`${name}.svg`, new Blob([alone(svg)], { type: "image/svg+xml" }));
  const marks = (kind) => ({ "data-key": `${name}-${kind}` });
  const [left, right] = [button("SVG", drawing, marks("svg")), button("CSV", table, marks("csv"))];
  return h(".buttons", h("span", t("this_curve")), left, right);
}

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"];

/** The text of a drawing, with the styles that the page gives its parts. */
function alone(svg) {
  const copy = svg.cloneNode(true);
  const parts = copy.querySelectorAll("*");
  for (const [at, one] of svg.querySelectorAll("*").entries())
    for (const style of STYLES) parts[at].setAttribute(style, getComputedStyle(one).getPropertyValue(style));
  return new XMLSerializer().serializeToString(copy);
}

function pathOf(values, x, y) {
  const known = [...values.entries()].filter(([, value]) => value !== null && value !== undefined);
  return known.map(([move, value], n) => `${n ? "L" : "M"}${x(move).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

const REACH = 3; // moves on either side of a mean

/** Chances as a mean over the moves around: an estimate of one moment is uncertain, the end of the game is not. */
export const smooth = (values) =>
  values.map((value, move) => {
    if (value === null || move === values.length - 1) return value;
    const reach = Math.min(REACH, move, values.length - 1 - move);
    const near = values.slice(move - reach, move + reach + 1).filter((one) => one !== null);
    return near.reduce((sum, one) => sum + one, 0) / near.length;
  });

const known = new Map(); // game -> its curve, for a visitor who comes back

export class Curve extends Part {
  before = known.get(this.page.where.id);
  values = this.before?.values ?? [];
  turns = this.before?.turns;
  seat = this.before?.seat; // whose mistakes are listed
  thinking = false;
  element = h(".curve", { hidden: true });

  /** Take in a part of the curve. */
  take({ from, values, turns, final }) {
    this.values = [...this.values.slice(0, from), ...values];
    this.turns = final ? turns : null;
    this.thinking = !final;
    this.show();
  }

  /** What an agent says of a move, if it is a mistake. @param {Protocol.Entry} entry */
  mistake(entry) {
    return this.turns?.find(({ move, word }) => move === entry.move && word === entry.word);
  }

  /** @param {Protocol.State} state */
  render({ moves, reason }) {
    if (this.values.length > moves + 1) this.values.length = moves + 1;
    this.turns = this.turns?.filter(({ move }) => move <= moves);
    if (reason !== "seats") this.thinking = false; // another moment ends the question
    this.show();
  }

  show() {
    this.element.hidden = !this.values.length;
    if (!this.values.length) return;
    const { page, turns } = this;
    if (this.seat === undefined) this.seat = page.state.seats.find(({ mine }) => mine)?.seat ?? null;
    known.set(page.where.id, { values: this.values, turns, seat: this.seat });
    const of = (seat) => (turns ?? []).filter((turn) => seat === null || turn.seat === seat);
    const choice = () => seatChoice(this, "mistakes_of", (seat) => ` (${of(seat).length})`);
    refill(
      this.element,
      h("h3", t("chances")),
      this.thinking && h("p.quiet.thinking", t("thinking")),
      this.chart(of(this.seat)),
      h("p.quiet", t("chances_note")),
      turns && [h("h3", t("mistakes")), choice(), mistakeList(page, of(this.seat))],
    );
  }

  chart(mistakes) {
    const { page } = this;
    const last = this.values.findLast(Boolean);
    const lines = Array.from({ length: page.hello.players }, (_, seat) => {
      const faint = this.values.map((each) => each?.[seat] ?? null);
      const end = last && percent(last[seat]);
      return { name: page.seats.name(seat), colour: page.colour(seat).full, values: smooth(faint), faint, end };
    });
    const dot = ({ move, seat }) => ({ move, value: lines[seat].values[move] ?? 0.5, colour: lines[seat].colour });
    return lineChart(page, "chances", lines, { dots: mistakes.map(dot) });
  }
}

const SOURCE_COLOURS = ["#0F6CB4", "#B4550F", "#2E8B57", "#8B3FA0", "#A9801A"];

export class PointsChart extends Part {
  values = null;
  seat = null;
  element = h("section.points-chart.panel", { "aria-label": t("points_over_time"), hidden: true });

  /** Asked for when the game is over. @param {Protocol.State} state */
  render(state) {
    if (state.newest && state.over && this.asked !== state.moves) {
      this.asked = state.moves;
      this.page.send({ type: "points" });
    }
    if (this.asked !== state.moves) this.values = null;
    this.show();
  }

  /** @param {Protocol.Told & { type: "points" }} message */
  hear({ values }) {
    this.values = values;
    this.show();
  }

  show() {
    this.element.hidden = !this.values;
    if (!this.values) return;
    const lines = this.seat === null ? this.totals() : this.sources();
    const most = Math.max(1, ...lines.flatMap((line) => line.values));
    const chart = lineChart(this.page, "points", lines, { most });
    refill(this.element, h("h3", t("points_over_time")), seatChoice(this, "points_of"), chart);
  }

  totals() {
    const total = (parts) => parts.reduce((sum, part) => sum + part, 0);
    return this.values[0].map((_, seat) => ({
      name: this.page.seats.name(seat),
      colour: this.page.colour(seat).full,
      values: this.values.map((seats) => Math.max(total(seats[seat]), 0)),
    }));
  }

  sources() {
    const { sources } = this.page.about;
    const names = sources.length ? sources : ["points"];
    return names.map((source, place) => ({
      name: t(`source_${source}`),
      colour: SOURCE_COLOURS[place % SOURCE_COLOURS.length],
      values: this.values.map((seats) => Math.max(seats[this.seat][place], 0)),
    }));
  }
}
