/** Win chances over the game: a curve for each seat, and the moves that turned it. */

import { button, h, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { chartKey, lineChart } from "./line_chart.js";

const SHOWN = 3; // moves that turned the game most

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
      chartKey(this.ends()),
      this.final ? h("h3", {}, t(this.turns.length ? "turned_it" : "nothing_turned")) : null,
      h(
        "ol",
        { class: "turns" },
        this.turns.slice(0, SHOWN).map((turn) => this.turn(turn)),
      ),
    );
  }

  chart(state) {
    const { page } = this;
    const seats = Array.from({ length: page.hello.players }, (_, seat) => page.colour(seat).full);
    return lineChart({
      lines: seats.map((colour, seat) => ({ colour, values: this.values.map((each) => each?.[seat] ?? null) })),
      dots: this.turns.map(({ move, seat }) => ({
        move,
        value: this.values[move]?.[seat] ?? 0.5,
        colour: seats[seat],
      })),
      moves: state.moves,
      shown: state.shown,
      words: this.words(),
      go: (move) => page.panels.playback.go(move),
    });
  }

  /** Every seat's chance at the end of the lines. */
  ends() {
    const end = this.values.filter(Boolean).at(-1) ?? [];
    const { page } = this;
    return end.map((value, seat) => ({
      colour: page.colour(seat).full,
      words: `${page.seats.name(seat)} ${Math.round(100 * value)} %`,
    }));
  }

  words() {
    return this.ends()
      .map(({ words }) => words)
      .join(", ");
  }

  turn({ move, seat, word, change, better }) {
    const { page } = this;
    const go = () => page.send({ type: "go", move: move - 1 });
    const again = button(t("try_again"), () => page.playOn(move - 1, seat), { "data-key": `again-${move}` });
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "turn-move", onclick: go, "data-key": `turn-${move}` },
        h("i", {}, String(move)),
        h(
          "span",
          {},
          `${page.seats.name(seat)}: ${page.game.sentenceOf(word)}`,
          better ? h("small", {}, t("better", { move: page.game.sentenceOf(better) })) : null,
        ),
        h("b", {}, `${Math.round(100 * change)} %`.replace("-", "−")),
      ),
      page.state.may.play_on ? again : null,
    );
  }
}
