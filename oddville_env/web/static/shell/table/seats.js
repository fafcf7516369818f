/** Seats: names, status, the seat that is shown large, and what people at one table settle among themselves. */

import { button, h, Part, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { remark, tip } from "../base/overlays.js";

const LOUD = new Set(["thinking", "failed", "away", "left"]);

/** A seat's area: its head, and what a game shows below. `points` is the drawing that stands for points. @param {Protocol.State} state */
export function seatSection(seat, state, { classes, own, name, badge, notes, points }, ...parts) {
  const { full, pale, ink } = seat.colour;
  const marks = {
    class: `seat panel${classes}${state.to_move === seat.seat ? " moves" : ""}`,
    style: { "--seat": full, "--seat-pale": pale, "--seat-ink": ink },
    "data-spot": seat.spot,
    "data-seat": seat.seat,
    "aria-label": own ? t("own_seat", { name }) : name,
  };
  const score = scoreSign(state.score[seat.seat], name, points);
  const head = [picture(seat.drawing, "pawn"), h("b.seat-name", name), badge, notes, score];
  return h("section", marks, h("header.seat-head", head), parts);
}

/** A table with the areas of its seats. */
export class SeatedTable {
  /** `names(seat)` says a seat's name, `notes(seat)` what else stands in its head. */
  constructor({ names, notes }) {
    this.names = names;
    this.notes = notes;
    this.others = h(".others");
    this.own = h(".own-area");
  }

  /** Show all seats in their order at the table: the near one large, the others beside it. */
  showSeats(seats, near, area) {
    const order = seats.map((_, step) => seats[((near ?? 0) + step) % seats.length]);
    const shown = (seat) => area(seat, { name: this.names(seat.seat), notes: this.notes(seat.seat) });
    refill(this.others, order.filter((seat) => seat.seat !== near).map(shown));
    refill(this.own, near === null ? [] : shown(seats[near]));
  }
}

/** A seat's points on the drawing that stands for points; the tip tells where they come from. */
function scoreSign({ points, sources }, name, drawing) {
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

export class Seats extends Part {
  list = [];

  keep(state) {
    const failed = state.seats.find((seat) => seat.status === "failed" && this.list[seat.seat]?.status !== "failed");
    this.list = state.seats;
    if (failed) remark(t("failed_why", { name: this.name(failed.seat), why: failed.message }), "wrong");
  }

  /** The name of a seat: its person's, else its colour's. */
  name(seat) {
    if (seat === null || seat === undefined) return "";
    return this.list[seat]?.person ?? this.page.game.seatName(seat);
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

export class Company extends Part {
  element = h("section.company", { role: "status", hidden: true });

  /** @param {Protocol.State} state */
  render(state) {
    this.tellDeclined(state);
    const parts = [this.cover(state), this.question(state), this.invitation(state)].flat().filter(Boolean);
    this.element.hidden = !parts.length;
    refill(this.element, parts);
    this.asks = state.asks;
    this.moves = state.moves;
  }

  /** Between two hands on one screen: the next hand is shown on request, or its player gets a link. */
  cover({ covered }) {
    if (covered === null || covered === undefined) return null;
    const { page } = this;
    const name = page.seats.name(covered);
    const show = () => page.send({ type: "uncover", seat: covered });
    return [
      h("p", h("b", t("cover_words", { name }))),
      page.hello.links?.seats[covered] ? button(t("cover_link", { name }), () => page.share()) : null,
      button(t("cover_show", { name }), show, { class: "button primary big", "data-key": "uncover" }),
    ];
  }

  /** A player asks to take back. */
  question({ asks, may }) {
    if (!asks) return null;
    const names = (seats) => seats.map((seat) => this.page.seats.name(seat)).join(" & ");
    if (!may.agree) return h("p", t("undo_waits", { name: names(asks.seats), others: names(asks.waits) }));
    const answer = (agrees) => () => this.page.send({ type: "agree", agrees });
    return [
      h("p", h("b", t("undo_asked", { name: names(asks.seats), n: asks.move + 1 }))),
      button(t("agree"), answer(true), { class: "button primary", "data-key": "agree" }),
      button(t("disagree"), answer(false), { "data-key": "disagree" }),
    ];
  }

  /** Another player has asked for a rematch. */
  invitation({ rematch }) {
    if (!rematch || this.page.goesOn) return null;
    const go = () => this.page.where.visit({ game: rematch.id, key: rematch.key });
    return [h("p", h("b", t("rematch_asked"))), button(t("to_rematch"), go, { class: "button primary" })];
  }

  /** Tell the asking player that it was declined. */
  tellDeclined({ asks, moves, seats }) {
    if (this.asks && !asks && moves === this.moves && this.asks.seats.some((seat) => seats[seat].mine))
      remark(t("undo_declined"));
  }
}
