/** The pages of games: each has a folder of its own, which the server names; `plain` shows any game by picture and words. */

/** The page's part of a game, by what the server says of it. */
export async function gameOf(about) {
  return (await import(`../${about.page}/game.js`)).game;
}
