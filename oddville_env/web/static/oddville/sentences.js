/** Moves in words: what a word of the law says, what is asked now, what is still to be chosen. */

import { h } from "../shell/base/dom.js";
import { picture, thing } from "../shell/base/drawings.js";
import { told as saying, t } from "../shell/base/i18n.js";
import { cardFacts } from "./facts.js";

const HARMLESS = new Set(["done"]);
const SPOKEN = new Set(["recover", "done"]);

/** Where a move carries something beside the spots of its path. @param {any} move @param {Protocol.State} state */
export function carries({ kind, path }, { to_move }) {
  const [spot] = path;
  if (kind === "setup" || kind === "extra") return [[`supply:${to_move}`, spot]];
  if (kind === "drop") return [[spot, "deck"]];
  return kind === "buy" ? [[path[1], `seat:${to_move}`]] : [];
}

/** A word of the law taken apart: `move:wood@2>stone` -> move, [wood, 2, stone]. */
function parts(word) {
  const [kind, ...rest] = word.split(":");
  return [kind, rest.flatMap((part) => part.split(/[,@>]/))];
}

/** A move in words, by its word alone. */
export function sentenceOf(word) {
  const [kind, [a, b, c]] = parts(word);
  const good = (name) => t(`resource_${name}`);
  const values = {
    setup: () => ({ resource: good(a) }),
    coins: () => ({ worker: a }),
    take: () => ({ worker: a, resource: good(b) }),
    buy: () => ({ worker: a, place: b }),
    build: () => ({ held: a, column: b, line: c }),
    move: () => ({ from: good(a), to: good(c) }),
    swap: () => ({ held: a, place: b }),
    drop: () => ({ held: a }),
    return: () => ({ resource: good(a) }),
  }[kind];
  return t(`move_${kind}`, values ? values() : a ? { resource: good(a) } : {});
}

const RESOURCED = new Set(["setup", "take", "extra", "bonus", "any", "double", "move", "square", "return"]);
const BONUSES = new Set(["any", "double"]); // which the log tells as it tells other bonuses

/** The resources of a move: where a worker goes, or leaves and goes. */
function resourcesOf(word) {
  const [kind, [a, b, c]] = parts(word);
  return RESOURCED.has(kind) ? [kind === "take" ? b : a, c].filter(Boolean) : [];
}

/** The card of an entry's move: the one that came to be held or to stand, else the one that went. */
const cardOf = (events) => {
  const cards = events.filter(({ event }) => event === "card");
  return cards.find(({ to }) => to !== "deck") ?? cards[0];
};

const building = (event) => {
  const facts = event && cardFacts(event.card);
  const words = facts ? t("building_of", { suit: t(`suit_${facts.suit}`), card: event.card }) : t("building");
  return event ? thing(`building-${event.card}`, words) : words;
};

/** The drawings that the log shows for a move. */
export const pictured = ({ events }) =>
  events.filter(({ event }) => event === "card").map(({ card }) => `building-${card}`);

/** The spots that a move was about. @param {Protocol.Entry} entry */
export const spotsOf = ({ word, events }) => [
  ...resourcesOf(word).map((name) => `resource:${name}`),
  ...events.filter(({ event }) => event !== "coin").map(({ to }) => to),
];

/** What a move did and what it brought, behind the name of its seat. @param {Protocol.Entry} entry */
export function told({ seat, word, events }) {
  const [kind] = parts(word);
  const coins = (place) =>
    events
      .filter((one) => one.event === "coin" && one.seat === seat && one[place] === "deck")
      .reduce((sum, one) => sum + one.number, 0);
  const [paid, got] = [coins("to"), coins("from")];
  const cards = kind === "swap" ? events.filter(({ event }) => event === "card") : [cardOf(events)];
  const [resource, to] = resourcesOf(word).map((name) => t(`resource_${name}`));
  const guests = events.filter(({ event, to }) => event === "character" && to === `seat:${seat}`);
  return [
    saying(`log_${BONUSES.has(kind) ? "bonus" : kind}`, { n: got, resource, to }, ...cards.map(building)),
    paid ? ` ${t("for_price", { n: paid })}` : "",
    got && kind !== "coins" ? ` (+${t("n_coins", { n: got })})` : "",
    guests.map(({ character }) => ` ${t("log_joined", { name: t(`character_${character}`) })}`),
  ].flat();
}

/** A move with all it brings, as it is offered to be confirmed. */
export const sentence = ({ word, price }) =>
  price ? `${sentenceOf(word)} ${t("for_price", { n: price })}` : sentenceOf(word);

/** What a move gains, in pictures: the building's worth, its bonuses, coins. @param {Protocol.State} state */
export function gain(move, state) {
  const coins = move.coins?.[state.to_move] ?? 0;
  const shown = [
    move.worth === undefined || move.worth === null
      ? null
      : mark("star", String(move.worth), t("worth_now", { n: move.worth })),
    coins ? mark("coin", coins > 0 ? `+${coins}` : `−${-coins}`, t("n_coins", { n: coins })) : null,
    ...(move.bonuses ?? [])
      .filter((bonus) => bonus !== "coin")
      .map((bonus) => mark(`bonus-${bonus}`, "", t(`bonus_${bonus}`))),
    move.favour ? mark(`suit-${move.favour}`, "+1", t("favour_tip")) : null,
  ].filter(Boolean);
  return shown.length ? h("span.gain", shown) : null;
}

const mark = (drawing, words, title) =>
  h("span.mark", { title, "aria-label": title, role: "img" }, picture(drawing), words ? h("b", words) : null);

/** A move in a word or two, for a button. @param {Protocol.State} state */
export function short(move, state) {
  const [kind, [a, b, c]] = parts(move.word);
  if (kind === "coins") return t("short_coins", { n: move.coins?.[state.to_move] ?? "" });
  if (kind === "take") return t("short_take", { worker: a, resource: t(`resource_${b}`) });
  if (kind === "buy") return t("short_buy", { worker: a, place: b });
  if (kind === "build") return t("cell", { column: b, line: c });
  if (kind === "recover" && move.price) return `${t("move_recover")} (${t("n_coins", { n: move.price })})`;
  if (kind === "done" && state.table.phase === "bonus") return t("short_give_up");
  if (kind === "done" && state.table.phase === "end") return t("short_end");
  return sentenceOf(move.word);
}

/** The drawing that stands for a move on its button. */
export function movePicture({ kind, word, drawing }) {
  const resource = kind === "square" ? null : resourcesOf(word).at(-1);
  return kind === "coins" ? "coin" : resource ? `resource-${resource}` : (drawing ?? null);
}

/** Is a move offered as a button too? What has no place of its own on the table, and what a touched target leaves open. */
export function spoken(move, spots) {
  if (!spots.length) return SPOKEN.has(move.kind);
  if (spots[0].startsWith("hand:")) return move.kind === "coins";
  return !spots[0].startsWith("held:") && !spots[0].startsWith("character:");
}

/** Does a move need no second thought? */
export const harmless = (move) => HARMLESS.has(move.kind);

/** What the phase asks. @param {Protocol.State} state */
export function prompt(state) {
  const { phase } = state.table;
  if (state.over) return t("prompt_over");
  if (phase === "main" && state.position.recovered) return t("prompt_main_recovered");
  return t(`prompt_${phase}`);
}

/** What is still to be chosen. @param {import("../shell/table/choice.js").Choice} choice */
export function ask(choice) {
  const first = choice.spots[0];
  const kinds = new Set(choice.candidates.map((move) => move.kind));
  if (first.startsWith("hand:")) return t("ask_worker", { n: first.split(":")[2] });
  if (kinds.has("build")) return t("ask_build");
  if (kinds.has("swap")) return t("ask_swap");
  if (kinds.has("square")) return t("ask_square");
  if (kinds.has("move"))
    return t(choice.spots.some((spot) => spot.startsWith("board:")) ? "ask_move_to" : "ask_move_from");
  if (first.startsWith("pending:")) return t("ask_bonus");
  return t("ask_how");
}
