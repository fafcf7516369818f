/** Seats: names, status, and the seat that is shown large. */

import { h } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { remark, tip } from "../base/overlays.js";

const LOUD = new Set(["thinking", "failed", "away", "left"]);

/** The head of a seat's area: its pawn, its name, and what a game tells behind them. */
export const seatHead = (seat, name, ...told) =>
  h("header.seat-head", picture(seat.drawing, "pawn"), h("b.seat-name", name), ...told);

/** A seat's points on the drawing that stands for points; the tip tells where they come from. */
export function scoreSign({ points, sources }, name, drawing) {
  const parts = (sources ?? []).map(({ source, points: part }) => [t(`source_${source}`), part]);
  const sum = t("n_points", { n: points });
  const label = [`${name}: ${sum}`, ...parts.map((part) => part.join(" "))].join(", ");
  const sign = h("span.score", { role: "img", "aria-label": label, "data-stop": true, tabindex: 0 });
  sign.append(picture(drawing), h("b", String(points)));
  return tip(sign, () => [
    h("strong", sum),
    ...parts.map(([source, part]) => h("span.tip-line", h("b", source), ` ${part}`)),
  ]);
}

/** Is it this visitor's turn, whatever moment they look at? @param {Protocol.State} state */
export const isOwnTurn = (state) => state.seats.some(({ mine, status }) => mine && status === "to_move");

/** Does this visitor's own clock run? @param {Protocol.State} state */
export const runsOwnClock = (state) => Boolean(state.seats[state.clock?.runs]?.mine);

export class Seats {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.list = [];
  }

  keep(state) {
    const failed = state.seats.find((seat) => seat.status === "failed" && this.list[seat.seat]?.status !== "failed");
    this.list = state.seats;
    if (failed) remark(t("failed_why", { name: this.name(failed.seat), why: failed.message }), "wrong");
  }

  /** The name of a seat: its person's, else its colour's. */
  name(seat) {
    if (seat === null || seat === undefined) return "";
    const { game, about } = this.page;
    return this.list[seat]?.person ?? game.seatName(seat, about.seat_names?.[seat] ?? String(seat + 1));
  }

  /** The name with its player. */
  fullName(seat) {
    const found = this.list[seat];
    return found?.kind === "agent"
      ? `${this.name(seat)} (${playerName(found.agent, this.page.about)})`
      : this.name(seat);
  }

  /** What stands beside the name: the agent, and whether it thinks, is away or has failed. */
  notes(seat) {
    const found = this.list[seat];
    if (!found) return null;
    const { agent, message, mine, status } = found;
    const others = this.list.some((one) => one.kind === "human" && !one.mine);
    const words = t(`status_${status}`);
    const sign =
      status === "thinking"
        ? h("span.status.thinking", { role: "img", "aria-label": words, title: words })
        : h("span", { class: `status ${status}`, title: message || words }, words);
    return [
      found.kind === "agent" ? h("span.seat-agent", { title: agent }, playerName(agent, this.page.about)) : null,
      mine && others ? h("span.badge.you", t("you")) : null,
      LOUD.has(status) ? sign : null,
    ];
  }
}

/** The seat to move if it is this visitor's, else the first of theirs; null for spectators. @param {Protocol.State} state */
export function nearSeat(state) {
  const mine = state.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length) return null;
  return [state.to_move, ...(mine.length > 1 ? [state.view] : [])].find((seat) => mine.includes(seat)) ?? mine[0];
}
