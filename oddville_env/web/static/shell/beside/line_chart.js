/** Lines over the moves of a game; a touch goes to the moment. Lines differ by their dashes too, not by colour alone. */

import { h, s } from "../base/dom.js";

const WIDTH = 280;
const HEIGHT = 120;
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "1 2", "12 3"];

const stroke = (colour, place) => ({
  fill: "none",
  stroke: colour,
  "stroke-width": 2.2,
  "stroke-dasharray": DASHES[place % DASHES.length] || null,
});

/** `lines`: {values (null where unknown), colour}, at most 1 is `most`; `dots`: {move, value, colour}. `go(move)` is called
 * where it is touched, with null for the newest. */
export function lineChart({ lines, dots = [], most = 1, moves, shown, words, go }) {
  const last = Math.max(moves, 1);
  const x = (move) => (WIDTH * move) / last;
  const y = (value) => HEIGHT * (1 - value / most);
  const paths = lines.map(({ values, colour }, place) =>
    s("path", { d: pathOf(values, x, y), ...stroke(colour, place) }),
  );
  const marks = dots.map(({ move, value, colour }) =>
    s("circle", { cx: x(move), cy: y(value), r: 4, fill: colour, stroke: "#fff", "stroke-width": 1.5 }),
  );
  const svg = s(
    "svg",
    { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": words, class: "chart" },
    s("rect", { width: WIDTH, height: HEIGHT, class: "ground" }),
    s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "half" }),
    s("line", { x1: x(shown), x2: x(shown), y1: 0, y2: HEIGHT, class: "now" }),
    paths,
    marks,
  );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const move = Math.round(((event.clientX - box.left) / box.width) * last);
    go(move >= last ? null : Math.max(move, 0));
  });
  return svg;
}

/** What each line means: {words, colour} in the order of the lines. */
export const chartKey = (lines) =>
  h(
    "ul",
    { class: "chart-key" },
    lines.map(({ words, colour }, place) => h("li", {}, sample(colour, place), h("span", {}, words))),
  );

const sample = (colour, place) =>
  s(
    "svg",
    { viewBox: "0 0 26 8", class: "sample", "aria-hidden": "true" },
    s("path", { d: "M0 4H26", ...stroke(colour, place) }),
  );

function pathOf(values, x, y) {
  let written = "";
  values.forEach((value, move) => {
    if (value !== null && value !== undefined)
      written += `${written ? "L" : "M"}${x(move).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return written;
}
