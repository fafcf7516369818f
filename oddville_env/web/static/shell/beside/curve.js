/** Win chances over the game: a curve for each seat, and the moves that turned it. */

import { h, refill, s } from "../base/dom.js";
import { t } from "../base/i18n.js";

const WIDTH = 280;
const HEIGHT = 120;

export class Curve {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.values = [];
    this.turns = [];
    this.element = h("div", { class: "curve", hidden: true });
  }

  /** Take in a part of the curve. */
  take({ from, values, turns, final }) {
    if (from === 0) this.values = [];
    this.values.splice(from, values.length, ...values);
    this.turns = turns ?? [];
    this.final = final;
    this.render(this.page.state);
  }

  /** @param {Protocol.State} state */
  render(state) {
    this.element.hidden = !this.values.length;
    if (!this.values.length) return;
    if (this.values.length > state.moves + 1) this.values.length = state.moves + 1;
    refill(
      this.element,
      h("h3", {}, t("chances")),
      this.final ? null : h("p", { class: "quiet thinking" }, t("thinking")),
      this.chart(state),
      h(
        "ol",
        { class: "turns" },
        this.turns.map((turn) => this.turn(turn)),
      ),
    );
  }

  chart(state) {
    const last = Math.max(state.moves, 1);
    const x = (move) => (WIDTH * move) / last;
    const seats = Array.from({ length: this.page.hello.players }, (_, seat) => this.page.colour(seat));
    const dashes = ["", "6 3", "2 3", "9 3 2 3"];
    const lines = seats.map((colour, seat) =>
      s("path", {
        d: path(this.values, seat, x),
        fill: "none",
        stroke: colour.full,
        "stroke-width": 2.2,
        "stroke-dasharray": dashes[seat] || null,
      }),
    );
    const dots = this.turns.map(({ move, seat }) =>
      s("circle", {
        cx: x(move),
        cy: y(this.values[move]?.[seat] ?? 0.5),
        r: 4,
        fill: seats[seat].full,
        stroke: "#fff",
        "stroke-width": 1.5,
      }),
    );
    const now = s("line", { x1: x(state.shown), x2: x(state.shown), y1: 0, y2: HEIGHT, class: "now" });
    const svg = s(
      "svg",
      { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": this.words(), class: "chart" },
      s("rect", { width: WIDTH, height: HEIGHT, class: "ground" }),
      s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "half" }),
      now,
      lines,
      dots,
    );
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const move = Math.round(((event.clientX - box.left) / box.width) * last);
      this.page.panels.playback.go(move >= last ? null : Math.max(move, 0));
    });
    return svg;
  }

  words() {
    const end = this.values.filter(Boolean).at(-1) ?? [];
    return end.map((value, seat) => `${this.page.seats.name(seat)} ${Math.round(100 * value)} %`).join(", ");
  }

  turn({ move, seat, word, change }) {
    const { page } = this;
    const go = () => page.send({ type: "go", move: move - 1 });
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "turn-move", onclick: go },
        h("i", {}, String(move)),
        h("span", {}, `${page.seats.name(seat)}: ${page.game.sentenceOf(word)}`),
        h("b", {}, `${Math.round(100 * change)} %`.replace("-", "−")),
      ),
    );
  }
}

const y = (value) => HEIGHT * (1 - value);

function path(values, seat, x) {
  let written = "";
  values.forEach((value, move) => {
    if (value) written += `${written ? "L" : "M"}${x(move).toFixed(1)} ${y(value[seat]).toFixed(1)}`;
  });
  return written;
}
