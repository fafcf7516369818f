/** Who sits where: names, what each seat is doing, and whose seat is shown large. */

import { h } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { remark } from "../base/overlays.js";

const LOUD = new Set(["thinking", "failed", "away", "left"]);

/** The head of a seat's area: its pawn, its name, and what a game tells behind them. */
export const seatHead = (seat, name, ...told) =>
  h("header.seat-head", picture(seat.drawing, "pawn"), h("b.seat-name", name), ...told);

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

  /** The name with who plays there. */
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
    const agent =
      found.kind === "agent"
        ? h("span.seat-agent", { title: found.agent }, playerName(found.agent, this.page.about))
        : null;
    const you =
      found.mine && this.list.some((one) => one.kind === "human" && !one.mine) ? h("span.badge.you", t("you")) : null;
    if (!LOUD.has(found.status)) return [agent, you];
    if (found.status === "thinking")
      return [
        agent,
        you,
        h("span.status.thinking", { role: "img", "aria-label": t("status_thinking"), title: t("status_thinking") }),
      ];
    return [
      agent,
      you,
      h(
        "span",
        { class: `status ${found.status}`, title: found.message || t(`status_${found.status}`) },
        t(`status_${found.status}`),
      ),
    ];
  }
}

/** The seat to move if it is this visitor's, else the first of theirs; nobody's for watchers. @param {Protocol.State} state */
export function nearSeat(state) {
  const mine = state.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length) return null;
  return mine.includes(state.to_move)
    ? state.to_move
    : mine.length === 1
      ? mine[0]
      : mine.includes(state.view)
        ? state.view
        : mine[0];
}
