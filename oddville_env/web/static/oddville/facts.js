/** What is printed on cards and characters, as the server tells it once. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";

const cards = new Map();
const characters = new Map();

/** Keep what a table brings along. */
export function keepFacts(table) {
  for (const [card, facts] of Object.entries(table.cards ?? {})) cards.set(Number(card), facts);
  for (const [word, facts] of Object.entries(table.characters ?? {})) characters.set(word, facts);
}

/** The facts of a card; null where the server has not told them. */
export const cardFacts = (card) => cards.get(card) ?? null;

/** The facts of a character. */
export const characterFacts = (word) => characters.get(word) ?? { guild: "mask", points: 0 };

/** [V1] What a building is worth, in words. */
function formula({ base, per, counts }) {
  if (!counts) return String(base);
  return t("worth_formula", { base, per, what: t(`counts_${counts}`) });
}

const pictures = (names) => names.map((name) => picture(name, "in-text"));

/** A building in full, for a tip. */
export function buildingTip(card, more = []) {
  const facts = cardFacts(card);
  if (!facts) return null;
  const cost = Object.entries(facts.cost).flatMap(([resource, number]) => Array(number).fill(`resource-${resource}`));
  const streets = facts.streets === "-" ? t("none") : [...facts.streets].map((side) => t(`side_${side}`)).join(", ");
  return [
    h("strong", pictures([`suit-${facts.suit}`]), " ", t("building_of", { suit: t(`suit_${facts.suit}`), card })),
    line(t("worth"), formula(facts)),
    line(t("costs"), cost.length ? pictures(cost) : t("nothing")),
    line(t("bonus"), pictures([`bonus-${facts.bonus}`]), " ", t(`bonus_${facts.bonus}`)),
    line(t("streets"), streets),
    line(t("shield"), String(facts.shield)),
    ...more,
  ];
}

/** A building in one sentence, for screen readers. */
export function buildingWords(card) {
  const facts = cardFacts(card);
  if (!facts) return t("building");
  const cost = Object.entries(facts.cost).map(([resource, number]) => `${number} ${t(`resource_${resource}`)}`);
  const parts = [
    t("building_of", { suit: t(`suit_${facts.suit}`), card }),
    `${t("worth")} ${formula(facts)}`,
    `${t("costs")} ${cost.join(", ") || t("nothing")}`,
    `${t("bonus")} ${t(`bonus_${facts.bonus}`)}`,
  ];
  return parts.join(", ");
}

/** A character in full. */
export function characterTip(word) {
  const { guild, points } = characterFacts(word);
  return [
    h("strong", pictures([`suit-${guild}`]), " ", t(`character_${word}`)),
    h("span.tip-line", t(`power_${word}_long`)),
    line(t("points"), String(points)),
  ];
}

/** A line of a tip: what it is, and what it says. */
export const line = (name, ...words) => h("span.tip-line", h("b", name), " ", ...words);
