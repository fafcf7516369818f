/** What is printed on cards and buildings, as the server tells it once, in the visitor's language. */

import { hasText, t, translated } from "../shell/base/i18n.js";

const cards = new Map();
const buildings = new Map();
const slug = (words) => words.toLowerCase().replace(/[^a-z0-9]+/g, "_");

/** Keep what a table brings along. */
export function keepFacts(table) {
  for (const [card, facts] of Object.entries(table.cards ?? {})) cards.set(Number(card), facts);
  for (const [key, facts] of Object.entries(table.names ?? {})) buildings.set(key, facts);
}

/** The facts of a card. */
export const cardFacts = (card) =>
  cards.get(Number(card)) ?? { type: "a", building: null, lots: [], relation: "", text: "" };

/** The colours of a building, in three strengths. */
const coloursOf = (key) => buildings.get(key) ?? { pale: "#F3EADB", full: "#8A6A48", ink: "#FFFFFF" };

/** The colours of a card that speaks of a building. */
export const cardStyle = (key) => ({ "--card": coloursOf(key).full, "--card-pale": coloursOf(key).pale });

/** What a building is called. */
export const nameOf = (key) => translated(`building_${key}`, buildings.get(key)?.name ?? key);

/** The building in the middle of a sentence: with its article, in the case (nom, acc, dat) that German asks for there. */
export function theName(key, grammar = "nom") {
  const the = hasText(`gender_${key}`) ? `town_the_${t(`gender_${key}`)}_${grammar}` : "town_the";
  return t(the, { name: nameOf(key) });
}

/** Several buildings, each with its article. */
export function theNames(keys, word = "or", grammar = "nom") {
  const names = keys.map((key) => theName(key, grammar));
  return listed(names, word);
}

/** `4, 8 or 12`. */
export function listed(parts, word = "or") {
  const last = parts.at(-1);
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} ${t(`town_${word}`)} ${last}` : String(last ?? "");
}

/** A sentence begins with a capital letter. */
export const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);

/** What a card says; `building`: of which building a B card of a puzzle speaks. */
export function clue(card, building = null) {
  const { type, building: named, lots, relation } = cardFacts(card);
  const key = named ?? building;
  const name = key && capital(theName(key));
  if (type === "c") return t("town_clue_c", { name, relation: translated(`relation_${slug(relation)}`, relation) });
  return key ? t("town_clue_a", { name, lots: listed(lots) }) : t("town_clue_b", { lots: listed(lots) });
}

const leftOf = ({ building, lots }) => t("town_left", { name: theName(building, "acc"), lots: listed(lots) });
const left = (parts) => listed(parts.map(leftOf), "and");
const owns = (sets) => listed(sets.map((keys) => theNames(keys, "and")));

const said = {
  clue: (step) => t("why_clue", { card: step.card, left: left(step.left) }),
  relation: (step) =>
    t("why_relation", { card: step.card, own: theNames(step.buildings, "or", "dat"), left: left(step.left) }),
  needs_own: (step) =>
    t("why_needs_own", { card: step.card, own: theNames(step.buildings, "or", "acc") }) +
    (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
  no_own: (step) => t("why_no_own", { card: step.card }),
  group: (step) =>
    t("why_group", {
      names: theNames(step.buildings, "and"),
      n: step.buildings.length,
      lots: listed(step.lots, "and"),
      left: left(step.left),
    }),
  crowd: (step) =>
    t("why_crowd", { names: theNames(step.buildings, "and"), n: step.lots.length, lots: listed(step.lots, "and") }),
  together: (step) => t("why_together", { left: left(step.left) }),
  supposed_own: (step) =>
    t("why_supposed_own", { name: theNames(step.buildings) }) +
    (step.others.length ? ` ${t("why_supposed_but", { names: theNames(step.others) })}` : ""),
  supposed_lot: (step) => t("why_supposed_lot", { name: theNames(step.buildings), lot: listed(step.lots) }),
  solved: (step) => t("why_solved") + (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
};

/** A step as a sentence. */
export const reason = (step) => capital(said[step.kind](step));
