/** A seat's belongings: coins, workers, worker cards, held buildings, characters, and its score with its sources. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { touchable } from "../shell/table/highlights.js";
import { scoreSign, seatHead } from "../shell/table/seats.js";
import { buildingTip, buildingWords, characterFacts, characterTip } from "./facts.js";
import { starOf } from "./market.js";

/** A seat's area. `own`: large, for the user's seat; else compact. @param {Protocol.State} state */
export function seatArea(seat, state, { own, name, notes }) {
  const classes = `seat panel${own ? " own" : ""}${state.to_move === seat.seat ? " moves" : ""}`;
  const colours = { "--seat": seat.colour.full, "--seat-pale": seat.colour.pale, "--seat-ink": seat.colour.ink };
  return h(
    "section",
    {
      class: classes,
      "data-spot": seat.spot,
      style: colours,
      "aria-label": own ? t("own_seat", { name }) : name,
      "data-seat": seat.seat,
    },
    head(seat, state, name, notes),
    h(".goods", coins(seat), supply(seat), settled(seat)),
    h(".cards", { "data-roving": true }, h(".hand", seat.hand.map(worker)), h(".held", held(seat))),
    h(
      ".people",
      { "data-roving": true },
      seat.characters.map((character) => person(character)),
    ),
  );
}

function head(seat, state, name, notes) {
  const badge = seat.first ? h("span.badge", { title: t("first_tip") }, t("first")) : null;
  return seatHead(seat, name, badge, notes, scoreSign(state.score[seat.seat], name, "star"));
}

function coins({ coins: purse, seat }) {
  const discs = Array.from({ length: purse.most }, (_, place) =>
    picture(place < purse.number ? "coin" : "no-coin", "coin"),
  );
  const words = t("n_coins", { n: purse.number });
  return tip(touchable(purse.spot, words, { class: "purse", "data-seat": seat }, discs), () => [
    h("strong", words),
    h("span.tip-line", t("coins_tip", { n: purse.most })),
  ]);
}

function supply({ supply: stock, drawing }) {
  const words = t("n_supply", { n: stock.number });
  return tip(
    touchable(stock.spot, words, { class: "figure" }, picture(drawing, "pawn"), h("b", String(stock.number))),
    () => words,
  );
}

function settled({ settled: number, needed }) {
  const words = t("n_settled", { n: number, needed });
  const element = h(
    "span.figure",
    { role: "img", "aria-label": words },
    picture("houses"),
    h("b", `${number}/${needed}`),
  );
  return tip(element, () => [h("strong", words), h("span.tip-line", t("settled_tip", { needed }))]);
}

function worker({ spot, worker: number, in_hand, drawing }) {
  const words = `${t("worker", { n: number })}, ${t(in_hand ? "in_hand" : "played")}`;
  const card = touchable(spot, words, { class: `card worker${in_hand ? "" : " played"}` }, picture(drawing));
  return tip(card, () => [h("strong", words), h("span.tip-line", t("worker_tip"))]);
}

function held(seat) {
  const places = Array.from({ length: Math.max(seat.held_most - seat.held.length, 0) }, () =>
    h("span.card.place", { "aria-hidden": "true" }),
  );
  return [...seat.held.map(heldCard), ...places];
}

function heldCard({ spot, card, drawing }) {
  return tip(
    touchable(spot, `${t("held")}: ${buildingWords(card)}`, { class: "card building" }, picture(drawing)),
    () => buildingTip(card),
  );
}

function person({ spot, character, used }) {
  const { guild, points } = characterFacts(character);
  const name = t(`character_${character}`);
  const words = `${name}: ${t(`power_${character}_long`)} ${t("points")}: ${points}${used ? `. ${t("used")}` : ""}`;
  const chip = touchable(
    spot,
    words,
    { class: `person suit-${guild}${used ? " used" : ""}` },
    picture(`suit-${guild}`),
    h("span", name),
    starOf(points),
  );
  return tip(chip, () => characterTip(character));
}
