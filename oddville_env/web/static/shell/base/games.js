/** Games and agents: their pages and names, and the games of this browser's visitor. */

import { request } from "./connection.js";
import { hasText, t } from "./i18n.js";
import { orTell } from "./overlays.js";
import { store, stored } from "./storage.js";

const KEPT = "oddville.games";
const REMEMBERED = 24;

/** The page's part of a game, by what the server says of it: each has a folder; `plain` shows any game by picture and words. */
export const gameOf = async (about) => (await import(`../../${about.page}/game.js`)).game;

/** Games that this browser has begun or entered, {id, key, game, when}: newest first; `lesson` has the keys of a lesson's others. */
export const remembered = () => stored(KEPT, []);

const keep = (games) => store(KEPT, games.slice(0, REMEMBERED));
const others = (id, key) => remembered().filter((one) => one.id !== id || one.key !== key);

/** Keep the way to a game. @param {{ id: string, key: string, game: string, lesson?: string }} way */
export const remember = ({ id, key, game, lesson }) =>
  keep([{ id, key, game, lesson, when: Date.now() }, ...others(id, key)]);

/** Forget the way to a game. */
export const forget = ({ id, key }) => keep(others(id, key));

/** Make a game and go there. */
export const begin = (wish, visit, more = {}) =>
  orTell(async () => {
    const made = await request("api/games", wish);
    remember({ id: made.id, key: made.keys.host, game: made.game });
    visit({ game: made.id, key: made.keys.host, ...more });
  });

/** `search:ms=1000` -> "Search, 1 s". */
export function agentName(spec) {
  const [kind, options] = spec.split(/:(.*)/s);
  if (!hasText(`agent_${kind}`)) return spec;
  const seconds = options?.match(/^ms=(\d+)$/)?.[1];
  if (options && !seconds) return `${t(`agent_${kind}`)} (${options})`;
  return t(`agent_${kind}`) + (seconds ? `, ${Number(seconds) / 1000} s` : "");
}

/** The name of a player: its level where it has one, else the agent's name. `about` is the server's description of the game. */
export const playerName = (spec, about) => {
  const level = about?.levels?.find(({ agent }) => agent === spec)?.level;
  return level ? t(`level_${level}`) : agentName(spec);
};

/** The weakest opponent that may be had. */
export const weakest = (about) => about.levels?.[0]?.agent;

/** The seats of a first game: its opponents are the weakest. */
export const guidedSeats = ({ guided }, about) =>
  guided.seats.map((seat) => (seat === "human" ? seat : (weakest(about) ?? seat)));

/** What kind of player an agent is, in a few words. */
export function agentWords({ spec, about }) {
  const [kind] = spec.split(":");
  return hasText(`agent_${kind}_words`) ? t(`agent_${kind}_words`) : about;
}
