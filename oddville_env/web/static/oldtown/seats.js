/** A seat's belongings: points, own buildings, hand. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { touchable } from "../shell/table/highlights.js";
import { scoreSign, seatHead } from "../shell/table/seats.js";
import { backs, chip, smallCard } from "./cards.js";
import { nameOf } from "./facts.js";

const MANY = 8; // cards of a hand that are shown at full size

/** A seat's area. `large`: the place of the touched card in the area of the own seat; none of other seats. @param {Protocol.State} state */
export function seatArea(seat, state, { large, name, notes }) {
  const near = Boolean(large);
  const classes = `seat panel${near ? " near" : ""}${state.to_move === seat.seat ? " moves" : ""}`;
  const colours = { "--seat": seat.colour.full, "--seat-pale": seat.colour.pale, "--seat-ink": seat.colour.ink };
  const many = seat.hand.length > MANY ? " many" : "";
  const hand = near ? seat.hand.map((card) => chip(card, state)) : seat.hand.map(smallCard);
  return h(
    "section",
    {
      class: classes,
      "data-spot": seat.spot,
      style: colours,
      "aria-label": near && state.seats[seat.seat]?.mine ? t("own_seat", { name }) : name,
      "data-seat": seat.seat,
    },
    head(seat, state, name, notes),
    h(
      ".owned",
      { "data-roving": true },
      seat.mine.map(ownBuilding),
      seat.mine.length ? null : h("small", t("town_owns_nothing")),
    ),
    h(
      ".cards",
      seat.backs
        ? backs(seat.backs)
        : h("div", { class: `clues${many}`, "data-roving": true, "data-spot": `hand:${seat.seat}` }, hand),
    ),
    large,
    seat.stack.size && !near
      ? h("small.own-stack", { "data-spot": seat.stack.spot }, t("town_own_stack", { n: seat.stack.size }))
      : null,
  );
}

function head(seat, state, name, notes) {
  const badge = seat.first ? h("span.badge", t("town_first")) : null;
  return seatHead(seat, name, badge, notes, scoreSign(state.score[seat.seat], name, "points"));
}

function ownBuilding({ spot, building, drawing }) {
  const name = nameOf(building);
  return touchable(
    spot,
    t("town_own_building", { name }),
    { class: "own-building" },
    picture(drawing),
    h("span", name),
  );
}
