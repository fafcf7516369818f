/** After the game: every seat's points over time, or one seat's by where they came from. */

import { h, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { chartKey, lineChart } from "./line_chart.js";

const SOURCE_COLOURS = ["#0F6CB4", "#B4550F", "#2E8B57", "#8B3FA0", "#A9801A"];

export class PointsChart {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.values = null;
    this.seat = null;
    this.element = h("section", { class: "points-chart panel", "aria-label": t("points_over_time"), hidden: true });
  }

  /** Asked for when the game is over. @param {Protocol.State} state */
  render(state) {
    if (state.newest && state.over && this.asked !== state.moves) {
      this.asked = state.moves;
      this.page.send({ type: "points" });
    }
    if (this.asked !== state.moves) this.values = null;
    this.show(state);
  }

  /** @param {Protocol.Told & { type: "points" }} message */
  hear({ values }) {
    this.values = values;
    this.show(this.page.state);
  }

  show(state) {
    this.element.hidden = !this.values;
    if (!this.values) return;
    const lines = this.seat === null ? this.totals() : this.sources();
    const most = Math.max(1, ...lines.flatMap((line) => line.values));
    const ends = lines.map(({ name, values }) => `${name} ${values.at(-1)}`);
    refill(
      this.element,
      h("h3", {}, t("points_over_time")),
      this.choice(),
      lineChart({
        lines,
        most,
        moves: state.moves,
        shown: state.shown,
        words: ends.join(", "),
        go: (move) => this.page.panels.playback.go(move),
      }),
      chartKey(lines.map(({ colour }, place) => ({ colour, words: ends[place] }))),
    );
  }

  choice() {
    const change = (event) => {
      this.seat = event.target.value === "" ? null : Number(event.target.value);
      this.show(this.page.state);
    };
    const seats = this.values[0].map((_, seat) =>
      h("option", { value: seat, selected: seat === this.seat }, this.page.seats.name(seat)),
    );
    return h(
      "select",
      { onchange: change, "aria-label": t("points_of"), id: "points-of" },
      h("option", { value: "", selected: this.seat === null }, t("everybody")),
      seats,
    );
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
