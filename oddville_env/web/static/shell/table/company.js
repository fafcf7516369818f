/** What people at one table settle among themselves: whose hand is shown, whether a move may be taken back, another game. */

import { button, h, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { remark } from "../base/overlays.js";

export class Company {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.element = h("section.company", { role: "status", hidden: true });
  }

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
    const own = page.hello.links?.seats[covered] ? button(t("cover_link", { name }), () => page.share()) : null;
    return [
      h("p", h("b", t("cover_words", { name }))),
      own,
      button(t("cover_show", { name }), show, { class: "button primary big", "data-key": "uncover" }),
    ];
  }

  /** A player asks to take back. */
  question({ asks, may }) {
    if (!asks) return null;
    const { page } = this;
    const names = (seats) => seats.map((seat) => page.seats.name(seat)).join(" & ");
    if (!may.agree) return h("p", t("undo_waits", { name: names(asks.seats), others: names(asks.waits) }));
    const answer = (agrees) => () => page.send({ type: "agree", agrees });
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
