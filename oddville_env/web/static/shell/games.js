/** The pages of games: each game has a folder of its own; one without is played by its picture and its words. */

import { game as plain } from "../plain/game.js";

const HAVE = new Set(["oddville"]);

/** The page's part of a game. */
export async function gameOf(name) {
  if (!HAVE.has(name)) return plain;
  return (await import(`../${name}/game.js`)).game;
}
