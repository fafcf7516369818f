/** Moves in words: what a word of the law says, what is asked now, what is still to be chosen. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { capital, theName } from "./facts.js";

const HARMLESS = new Set(["draw", "pass"]);

/** Where a move carries something beside the spots of its path: a card to the lots that it speaks of, a token away. @param {any} move @param {Protocol.State} state */
export function carries({ kind, path, goes = [], comes = [], stands = [] }, { to_move }) {
  const [spot] = path;
  const lots = new Set([...goes, ...comes, ...stands].map(({ lot }) => `lot:${lot}`));
  const to = {
    take: [`seat:${to_move}`],
    play: [...lots, "played"],
    show: ["played"],
    remove: [spot.replace(/^token:(.*)@.*$/, "supply:$1"), "played"],
    draw: [`seat:${to_move}`],
  }[kind];
  return (to ?? []).map((place) => [spot, place]);
}

/** A word of the law taken apart: `remove:saloon@7` -> remove, [saloon, 7]. */
export function parts(word) {
  const [kind, ...rest] = word.split(":");
  return [kind, rest.flatMap((part) => part.split("@"))];
}

/** A move in words, by its word alone. */
export function sentenceOf(word) {
  const [kind, [a, b]] = parts(word);
  const values = {
    take: () => ({ name: theName(a, "acc") }),
    play: () => ({ card: a, name: b && theName(b, "dat") }),
    show: () => ({ card: a }),
    remove: () => ({ name: theName(a, "acc"), lot: b }),
    draw: () => ({}),
    pass: () => ({}),
  }[kind]();
  const which = kind === "play" && b ? "play_with" : kind === "draw" ? `draw_${a}` : kind;
  return capital(t(`town_move_${which}`, values));
}

/** A move as it is offered to be confirmed; a pair as a whole. */
export function sentence(move) {
  if (move.next) return t("town_pair", { card: parts(move.word)[1][0], other: parts(move.next)[1][0] });
  return sentenceOf(move.word);
}

/** What a move gains: points. @param {Protocol.State} state */
export function gain(move, state) {
  const points = move.scores?.[state.to_move] ?? 0;
  const words = t("town_n_points", { n: points });
  return points
    ? h(
        "span.gain",
        h("span.mark", { role: "img", "aria-label": words, title: words }, picture("points"), h("b", `+${points}`)),
      )
    : null;
}

/** A move in a word or two, for a button. @param {Protocol.State} state */
export function short(move, state) {
  const [kind, [, own]] = parts(move.word);
  if (kind !== "play" || !own) return sentence(move);
  return `${t("town_with", { name: theName(own, "dat") })} +${move.scores?.[state.to_move] ?? 0}`;
}

/** The drawing that stands for a move on its button. */
export function movePicture({ word }) {
  const [kind, [a, b]] = parts(word);
  if (kind === "play" && b) return `token-${b}`;
  if (kind === "take" || kind === "remove") return `token-${a}`;
  return kind === "draw" ? "back" : null;
}

/** Is a move offered as a button too? What has no place of its own, and what a touched card leaves open. */
export const spoken = (move, spots) => (spots.length ? move.kind === "play" : HARMLESS.has(move.kind));

/** Does a move need no second thought? */
export const harmless = (move) => HARMLESS.has(move.kind);

/** What the phase asks. @param {Protocol.State} state */
export function prompt(state) {
  const { phase } = state.table;
  if (phase === "main" && !state.over && state.legal.every(({ kind }) => HARMLESS.has(kind)) && state.legal.length)
    return t("town_prompt_stuck");
  return t(`town_prompt_${phase}`);
}

/** What is still to be chosen of a touched card. @param {import("../shell/table/choice.js").Choice} choice */
export function ask(choice) {
  const kinds = new Set(choice.candidates.map((move) => move.kind));
  if (kinds.has("play") && kinds.has("show")) return t("town_ask_both");
  return t(kinds.has("show") ? "town_ask_second" : "town_ask_own");
}
