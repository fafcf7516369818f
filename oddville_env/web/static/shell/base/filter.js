/** Filters of games as text, `loser=greedy margin<5`, and their order, `-margin`. */

import { t } from "./i18n.js";

const TERM = /^(\w+)(<=|>=|!=|=|<|>)(.+)$/;
const holds = (one, sign, other) =>
  sign === "!=" ? one !== other : sign.includes(one === other ? "=" : one < other ? "<" : ">");
const NUMBERS = ["margin", "moves", "players", "line"];
const SEATS = {
  agent: () => true,
  winner: ({ ranks }, seat) => ranks?.[seat] === 1,
  loser: ({ ranks }, seat) => ranks?.[seat] > 1,
};

/** A game of the list, with what follows from what its record says. */
export function summed(told) {
  const [best, next] = [...(told.scores ?? [])].sort((one, other) => other - one);
  const seats = told.agents ?? told.scores ?? [];
  return { ...told, players: seats.length || null, points: best, margin: next === undefined ? null : best - next };
}

/** Is this the agent of a seat: its spec, the kind of agent that it is, or the number of the seat? */
const isNamed = ({ agents }, seat, name) => {
  const spec = agents?.[seat]?.toLowerCase() ?? "";
  return [spec, spec.split(":")[0], String(seat)].includes(name);
};

function keeps(term) {
  const [, field, sign, value] = TERM.exec(term) ?? [];
  if (NUMBERS.includes(field)) {
    if (!/^\d+$/.test(value)) throw new Error(t("filter_number", { term, start: field + sign }));
    return (game) => game[field] !== null && holds(game[field], sign, Number(value));
  }
  if (!Object.hasOwn(SEATS, field)) {
    if (!/[<>=!]/.test(term)) return ({ agents }) => Boolean(agents?.some((spec) => spec.toLowerCase().includes(term)));
    throw new Error(t("filter_field", { term, fields: [...Object.keys(SEATS), ...NUMBERS].join(", ") }));
  }
  if (!["=", "!="].includes(sign)) throw new Error(t("filter_name", { term, field }));
  const named = (one) =>
    [...Array(one.players ?? 0).keys()].some((seat) => SEATS[field](one, seat) && isNamed(one, seat, value));
  return (game) => named(game) === (sign === "=");
}

/** The games that a filter keeps, in an order: a column's name, after `-` the highest first; those without come last.
 * Raises an Error with a sentence where the filter cannot be read. */
export function chosen(games, filter, order) {
  const tests = filter.toLowerCase().split(/\s+/).filter(Boolean).map(keeps);
  const kept = games.filter((game) => tests.every((fits) => fits(game)));
  const [, down, column] = /^(-?)(\w+)$/.exec(order) ?? [];
  const compare = (...both) => {
    const [a, b] = both.map((game) => (column === "players" ? game.agents?.join() : game[column]) ?? null);
    if (a === b || a === null || b === null) return Number(a === null) - Number(b === null);
    return (a < b ? -1 : 1) * (down ? -1 : 1);
  };
  return column ? kept.sort(compare) : kept;
}
