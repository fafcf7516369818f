/** Charts over the moves of a game: win chances and points. */

import { button, choice, h, refill, s, saveFile, saveTable } from "../base/dom.js";
import { percent, t } from "../base/i18n.js";

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

const SHOWN = 3; // moves that turned the game most
const REACH = 3; // moves on either side of a mean

/** Chances as a mean over the moves around: an estimate of one moment is uncertain, the end of the game is not. */
export const smooth = (values) =>
  values.map((value, move) => {
    if (value === null || move === values.length - 1) return value;
    const reach = Math.min(REACH, move, values.length - 1 - move);
    const near = values.slice(move - reach, move + reach + 1).filter((one) => one !== null);
    return near.reduce((sum, one) => sum + one, 0) / near.length;
  });

/** A move in words, a small note and more, as a button that goes to the moment before it. */
export function turnButton(page, kind, move, seat, words, note, more = null) {
  const go = () => page.send({ type: "go", move: move - 1 });
  const parts = [h("i", String(move)), h("span", `${page.seats.name(seat)}: ${words}`, note), more];
  return button(parts, go, { class: "turn-move", "data-key": `${kind}-${move}` });
}

export class Curve {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.values = [];
    this.turns = [];
    this.element = h(".curve", { hidden: true });
  }

  /** Take in a part of the curve. */
  take({ from, values, turns, final }) {
    if (from === 0) this.values = [];
    this.values.splice(from, values.length, ...values);
    const { game } = this.page;
    this.turns = (turns ?? []).filter(({ word }) => !game.harmless({ kind: word.split(":")[0] })); // a draw is luck
    this.final = final;
    this.render(this.page.state);
  }

  /** @param {Protocol.State} state */
  render(state) {
    this.element.hidden = !this.values.length;
    if (!this.values.length) return;
    if (this.values.length > state.moves + 1) this.values.length = state.moves + 1;
    const turns = this.turns.slice(0, SHOWN).map(this.turn, this);
    refill(
      this.element,
      h("h3", t("chances")),
      this.final ? null : h("p.quiet.thinking", t("thinking")),
      this.chart(),
      h("p.quiet", t("chances_note")),
      this.final ? h("h3", t(turns.length ? "turned_it" : "nothing_turned")) : null,
      h("ol.turns", turns),
    );
  }

  chart() {
    const { page } = this;
    const last = this.values.findLast(Boolean);
    const lines = Array.from({ length: page.hello.players }, (_, seat) => {
      const faint = this.values.map((each) => each?.[seat] ?? null);
      const end = last && percent(last[seat]);
      return { name: page.seats.name(seat), colour: page.colour(seat).full, values: smooth(faint), faint, end };
    });
    const dot = ({ move, seat }) => ({ move, value: lines[seat].values[move] ?? 0.5, colour: lines[seat].colour });
    return lineChart(page, "chances", lines, { dots: this.turns.map(dot) });
  }

  turn({ move, seat, word, change, better }) {
    const { page } = this;
    const again = button(t("try_again"), () => page.playOn(move - 1, seat), { "data-key": `again-${move}` });
    const other = better ? h("small", t("better", { move: page.game.sentenceOf(better) })) : null;
    const cost = h("b", percent(change).replace("-", "−"));
    const jump = turnButton(page, "turn", move, seat, page.game.sentenceOf(word), other, cost);
    return h("li", jump, page.state.may.play_on ? again : null);
  }
}

const SOURCE_COLOURS = ["#0F6CB4", "#B4550F", "#2E8B57", "#8B3FA0", "#A9801A"];

export class PointsChart {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.values = null;
    this.seat = null;
    this.element = h("section.points-chart.panel", { "aria-label": t("points_over_time"), hidden: true });
  }

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
    refill(this.element, h("h3", t("points_over_time")), this.choice(), chart);
  }

  choice() {
    const change = (seat) => {
      this.seat = seat === "" ? null : Number(seat);
      this.show();
    };
    const seats = this.values[0].map((_, seat) => [seat, this.page.seats.name(seat)]);
    const named = { "aria-label": t("points_of"), id: "points-of" };
    return choice([["", t("everybody")], ...seats], this.seat ?? "", change, named);
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
