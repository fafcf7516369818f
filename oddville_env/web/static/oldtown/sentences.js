/** Moves in words: what a word of the law says, what is asked now, what is still to be chosen. */

import { h } from "../shell/base/dom.js";
import { picture, thing } from "../shell/base/drawings.js";
import { told as saying, t } from "../shell/base/i18n.js";
import { capital, clue, listed, nameOf, theName } from "./facts.js";

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
function parts(word) {
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
  }[kind];
  const which = kind === "play" && b ? "play_with" : kind === "draw" ? `draw_${a}` : kind;
  return capital(t(`town_move_${which}`, values?.()));
}

/** The drawings that the log shows for a move. */
export function pictured({ word }) {
  const [kind, [a, own]] = parts(word);
  if (kind === "play" || kind === "show") return [`plan-${a}`, ...(own ? [`token-${own}`] : [])];
  return kind === "take" || kind === "remove" ? [`token-${a}`] : [];
}

/** The spots that a move was about. @param {Protocol.Entry} entry */
export const spotsOf = ({ events }) =>
  events
    .flatMap(({ event, from, to }) =>
      [from, to].map((spot) => (event === "token" ? spot.replace(/^token:.*@/, "lot:") : spot)),
    )
    .filter((spot) => !/^(supply|seat|hand):/.test(spot));

/** What a move did and what it brought, behind the name of its seat. @param {Protocol.Entry} entry */
export function told({ word, events }) {
  const [kind, [a, own]] = parts(word);
  const card = () => thing(`plan-${a}`, t("town_log_card", { card: a }), clue(a));
  const building = (key, grammar) => thing(`token-${key}`, theName(key, grammar));
  const things = {
    play: () => [card(), own && building(own, "dat")],
    show: () => [card()],
    take: () => [building(a, "acc")],
    remove: () => [building(a, "acc")],
  }[kind];
  const tokens = events.filter(({ event }) => event === "token");
  const gone = tokens.filter(({ from }) => from.startsWith("token:"));
  const came = tokens.filter(({ to }) => to.startsWith("token:"));
  const lots = (key) => listed(came.filter(({ building }) => building === key).map(({ to }) => to.split("@")[1]));
  const results = [
    ...new Set(came.map(({ building }) => t("town_log_maybe", { name: theName(building), lots: lots(building) }))),
    ...(gone.length ? [t("town_log_gone", { n: gone.length })] : []),
    ...events
      .filter(({ event, to }) => event === "building" && to.startsWith("lot:"))
      .map(({ building, to }) => t("town_stands", { name: theName(building), lot: to.slice(4) })),
  ];
  return [
    ...saying(`town_log_${kind === "play" && own ? "play_with" : kind}`, { lot: own }, ...(things?.() ?? [])),
    results.length ? `: ${results.join(", ")}` : "",
  ];
}

/** A move as it is offered to be confirmed; a pair as a whole. */
export function sentence(move) {
  if (move.next) return t("town_pair", { card: parts(move.word)[1][0], other: parts(move.next)[1][0] });
  return sentenceOf(move.word);
}

/** What a move gains: points. @param {Protocol.State} state */
export function gain(move, state) {
  const points = move.scores?.[state.to_move] ?? 0;
  const words = t("n_points", { n: points });
  const marks = { role: "img", "aria-label": words, title: words };
  return points ? h("span.gain", h("span.mark", marks, picture("points"), h("b", `+${points}`))) : null;
}

/** A move in a word or two, for a button. @param {Protocol.State} state */
export function short(move, state) {
  const [kind, [stack, own]] = parts(move.word);
  if (kind === "draw") return t(`town_short_draw_${stack}`);
  if (kind !== "play" || !own) return sentence(move);
  return `${nameOf(own)} +${move.scores?.[state.to_move] ?? 0}`;
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
  const kinds = new Set(state.legal.map(({ kind }) => kind));
  if (phase !== "main" || state.over || !kinds.size) return t(`town_prompt_${phase}`);
  if (!kinds.has("play")) return t(`town_prompt_${kinds.has("show") ? "pair" : "stuck"}`);
  return t(`town_prompt_${kinds.has("show") ? "main" : "play"}`);
}

/** What is still to be chosen of a touched card. @param {import("../shell/table/choice.js").Choice} choice */
export function ask(choice) {
  const kinds = new Set(choice.candidates.map((move) => move.kind));
  if (kinds.has("play") && kinds.has("show")) return t("town_ask_both");
  return t(kinds.has("show") ? "town_ask_second" : "town_ask_own");
}
