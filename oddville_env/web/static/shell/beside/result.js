/** Where the points come from, seat by seat; at the end of a game, who won. */

import { announce } from "../base/announcements.js";
import { gameFile } from "../base/connection.js";
import { button, h, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
import { savePicture } from "./save_picture.js";

const SHADES = [1, 0.72, 0.5, 0.32, 0.2];

export class Result {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.element = h("section", { class: "result panel", "aria-label": t("result") });
  }

  /** @param {Protocol.State} state */
  render(state) {
    const { page } = this;
    const { outcome } = state;
    const points = state.score.map((score) => score.points);
    const names = outcome?.winners.map((seat) => page.seats.name(seat)).join(" & ");
    const title = outcome ? t("wins", { name: names }) : t("points_so_far");
    const place = (seat) => outcome?.ranks[seat] ?? -points[seat];
    const order = points.map((_, seat) => seat).sort((one, other) => place(one) - place(other));
    const most = Math.max(...points, 1);
    this.element.classList.toggle("standing", !outcome);
    refill(
      this.element,
      h("h2", {}, title),
      outcome?.truncated ? h("p", { class: "quiet" }, t("cut_off")) : null,
      order.map((seat) => this.bar(state, seat, outcome ? `${outcome.ranks[seat]}.` : "", most)),
      outcome ? this.series(state) : null,
      outcome ? this.buttons(state) : null,
    );
    if (outcome && !this.said) this.say(title, order, points);
  }

  /** Who has won, and everybody's points. */
  say(title, order, points) {
    this.said = true;
    const told = order.map((seat) => `${this.page.seats.name(seat)}: ${t("n_points", { n: points[seat] })}`);
    announce(`${title}. ${told.join(", ")}.`);
    this.element.scrollIntoView({ block: "nearest" });
  }

  bar(state, seat, rank, most) {
    const { page } = this;
    const { points, sources } = state.score[seat];
    const colour = page.colour(seat).full;
    const parts = (sources ?? [{ source: "points", points }]).map(({ source, points: part }, place) => {
      const words = `${t(`source_${source}`)}: ${part}`;
      return h("span", {
        class: "source",
        style: {
          width: `${(100 * Math.max(part, 0)) / most}%`,
          "background-color": colour,
          opacity: SHADES[place % SHADES.length],
        },
        title: words,
      });
    });
    const words = (sources ?? [])
      .filter(({ points: part }) => part)
      .map(({ source, points: part }) => `${t(`source_${source}`)} ${part}`)
      .join(", ");
    return h(
      "div",
      { class: "result-seat" },
      h("i", {}, rank),
      picture(page.game.seatSign(seat), "pawn"),
      h("span", {}, page.seats.fullName(seat)),
      h("b", {}, String(points)),
      h("div", { class: "sources", role: "img", "aria-label": words }, parts),
      h("small", { class: "quiet" }, words),
    );
  }

  /** Games won, where the same people have played before. */
  series({ seats, outcome }) {
    const before = seats.some(({ seat, wins }) => wins > (outcome.winners.includes(seat) ? 1 : 0));
    if (!before) return null;
    const won = seats.map(({ seat, wins }) => `${this.page.seats.name(seat)} ${wins}`);
    return h("p", { class: "series" }, t("wins_so_far", { all: won.join(" : ") }));
  }

  /** The way to the next game of the same people, who change seats. */
  next({ may, rematch }) {
    const { page } = this;
    if (page.lesson) return null;
    if (rematch)
      return button(t("to_rematch"), () => page.where.visit({ game: rematch.id, key: rematch.key }), {
        class: "button primary",
        "data-key": "to-rematch",
      });
    const ask = () => {
      page.goesOn = true;
      page.send({ type: "rematch" });
    };
    return may.rematch ? button(t("rematch"), ask, { class: "button primary", "data-key": "rematch" }) : null;
  }

  /** Which moves turned the game: the analysis looks at all of them. */
  askTurns() {
    this.page.panels.open("analysis");
    this.page.panels.analysis.askChances();
  }

  buttons(state) {
    const { page } = this;
    return h(
      "div",
      { class: "buttons" },
      this.next(state),
      state.may.analyse ? button(t("what_turned"), () => this.askTurns(), { "data-key": "what-turned" }) : null,
      button(t("save_picture"), () => savePicture(page), { "data-key": "save-picture" }),
      state.may.record
        ? h(
            "a",
            { class: "button", href: gameFile(page.where.id, page.where.key, "record"), download: "" },
            t("save_record"),
          )
        : null,
    );
  }
}
