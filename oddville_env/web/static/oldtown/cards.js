/** The list of buildings, and clue cards: sentences with plans, backs for a hidden hand. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { seen, touchable } from "../shell/table/highlights.js";
import { capital, cardFacts, cardStyle, clue, listed, nameOf, theName } from "./facts.js";

const colours = (card) => cardStyle(cardFacts(card).building);

const SIGNS = { confirming: "=", contradicting: "≠", five: "↔", three: "⊘" };

/** The points that a card brings at best, else null. */
function pointsOf({ spot }, { legal, to_move }) {
  const plays = legal.flatMap(({ moves }) => moves).filter(({ word, path }) => /^play:/.test(word) && path[0] === spot);
  return plays.length ? Math.max(...plays.map((move) => move.scores[to_move])) : null;
}

/** The verdicts of a card, each once, without that it can be played. */
const verdictsOf = ({ verdicts }) => [...new Set(verdicts.map(({ verdict }) => verdict))].filter((one) => SIGNS[one]);

const verdictLines = (verdicts) =>
  verdicts.map(({ building, verdict }) =>
    h("span.tip-line", building ? h("b", capital(theName(building)), ": ") : null, t(`verdict_${verdict}_long`)),
  );

const cardTip = (card) => () => [
  h("strong", t("town_card", { card: card.card })),
  h("span.tip-line", clue(card.card)),
  ...verdictLines(card.verdicts),
];

/** A card of the hand as a chip: its sign, its plan, what it brings. @param {Protocol.State} state */
export function chip(card, state) {
  const points = pointsOf(card, state);
  const verdicts = verdictsOf(card);
  const note = points === null ? verdicts.map((verdict) => SIGNS[verdict]).join(" ") : `+${points}`;
  const heard = points === null ? verdicts.map((verdict) => t(`verdict_${verdict}`)).join(", ") : note;
  const drawn = touchable(
    card.spot,
    `${t("town_card", { card: card.card })}: ${clue(card.card)} ${heard}`,
    { class: `chip${card.shown ? " shown" : ""}`, style: colours(card.card), "aria-describedby": "why" },
    signOf(card),
    picture(card.drawing, "plan"),
    note ? h("span", { class: `clue-note${points === null ? "" : " points"}` }, note) : null,
  );
  return tip(drawn, cardTip(card));
}

/** A card of the hand in full: what it says, and what stands against playing it. */
export const largeCard = (card) => h(".clue", { style: colours(card.card) }, clueParts(card, clue(card.card)));

const signOf = ({ card, sign }) => h("span.clue-sign", picture(sign.drawing), h("small", String(card)));

/** The sign of a card, what it says, and its plan. */
export const clueParts = (card, words) => [signOf(card), h("span.clue-words", words), picture(card.drawing, "plan")];

/** The reasons against playing a card, in sentences. */
export const obstacles = ({ verdicts }) =>
  verdicts.some(({ verdict }) => verdict === "change") ? [] : verdictLines(verdicts);

/** A card of another open hand: its sign and its plan, its sentence in a tip. */
export function smallCard(card) {
  const label = `${t("town_card", { card: card.card })}: ${clue(card.card)}`;
  const drawn = h(
    "span.clue.small",
    { ...seen(card.spot, label), style: colours(card.card) },
    picture(card.sign.drawing),
    picture(card.drawing, "plan"),
  );
  return tip(drawn, cardTip(card));
}

/** A hidden hand. */
export function backs({ spot, number, drawing }) {
  const words = t("town_n_cards", { n: number });
  return h(
    ".backs",
    { "data-spot": spot, role: "img", "aria-label": words, title: words },
    Array.from({ length: number }, () => picture(drawing)),
  );
}

/** A building in the list of all; `names(seat)` says who owns it. */
export function buildingLine({ spot, building, drawing, lots, in_supply, owner }, names) {
  const name = nameOf(building);
  const where = !lots ? t("town_unknown") : lots.length === 1 ? t("town_on_lot", { lot: lots[0] }) : lots.join(" · ");
  const whose = owner === null ? (in_supply ? t("town_in_supply") : "") : t("town_owned", { name: names(owner) });
  const spoken = lots?.length > 1 ? t("town_maybe_on", { lots: listed(lots) }) : where;
  return touchable(
    spot,
    [name, spoken, whose].filter(Boolean).join(", "),
    { class: `building-line${lots?.length === 1 ? " stands" : lots ? "" : " unknown"}` },
    picture(drawing),
    h("b", name),
    h("small", where),
    owner === null ? h("i", { class: in_supply ? "in-supply" : "", title: whose }) : picture(`hat-${owner}`, "pawn"),
  );
}
