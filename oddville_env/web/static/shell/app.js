/** The page begins here: the lobby, or the game that the address names. */

import { GamePage } from "./around/game_page.js";
import { Among, finishedGames, GamesTable, recordedGames } from "./around/games_table.js";
import { Lobby } from "./around/lobby.js";
import { askGame, request } from "./base/connection.js";
import { h, refill, trouble } from "./base/dom.js";
import { gameOf } from "./base/games.js";
import { addTexts, t } from "./base/i18n.js";
import { startAnnouncements, startTips } from "./base/overlays.js";
import { startMotion } from "./base/storage.js";
import { Practice } from "./beside/mistakes.js";
import { startRoving } from "./table/keyboard.js";

import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

addTexts({ en, de, nl });

const page = document.getElementById("page");
let shown = null;
let visiting = new AbortController(); // what is still being fetched for another place is left
let info = null;

/** What the fragment says: the game, the key, the moment; a puzzle, and of which game; or a table of games, and one of them.
 * @returns {Record<string, string>} */
const place = () => ({ filter: "", order: "", ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) });

/** Go to another place of the page. */
export function visit(values) {
  location.hash = new URLSearchParams(values).toString();
}

/** Enter a game, or show its invitation; accepting it enters again, by name. */
async function enter(where) {
  shown?.leave?.();
  shown = await GamePage.enter(page, info, where);
}

/** Enter the game of a record of the table. */
async function enterRecord(about, all, where, way) {
  const { id, keys } = await request("api/games", { game: about.name, record: Number(where.record) });
  const found = await askGame(id, keys.host);
  await enter({ ...way, id, key: keys.host, found, record: where.record, among: new Among(about, all, where) });
}

/** A table of the games that this browser has finished. */
async function tableOfFinished(about, where, signal) {
  const game = await gameOf(about);
  const all = await finishedGames(about, game);
  signal.throwIfAborted();
  return new GamesTable(page, about, game, all, where);
}

async function show() {
  const where = place();
  const { game, key, move, guide, puzzle, of, lesson, records, record, finished, analyse } = where;
  if (shown?.here?.(where)) return shown.moment(move);
  shown?.leave?.();
  shown = null;
  visiting.abort();
  visiting = new AbortController();
  const { signal } = visiting;
  try {
    const inTable = records !== undefined || record !== undefined;
    const asked = [info ?? request("api/info"), game ? askGame(game, key) : null, inTable && recordedGames()];
    const [may, found, all] = await Promise.all(asked);
    signal.throwIfAborted();
    info = may;
    const about = info.games.find((one) => one.name === of) ?? info.games[0];
    const way = { moment: move, guided: Boolean(guide), lesson, analyse, visit, enter, signal };
    if (puzzle) shown = await (await gameOf(about)).openPuzzle(page, about, puzzle, signal, lesson && visit);
    else if (records !== undefined) shown = new GamesTable(page, about, await gameOf(about), all, where);
    else if (finished !== undefined) shown = await tableOfFinished(about, where, signal);
    else if (record) await enterRecord(about, all, where, way);
    else if (!game) shown = new Lobby(page, info, visit);
    else await enter({ ...way, id: game, key, found, among: Practice.of(game, visit) });
  } catch (error) {
    if (signal.aborted) return;
    refill(page, trouble(t("trouble"), error.message, t("to_lobby")));
  }
}

startMotion();
startAnnouncements();
startTips();
startRoving(document.body);
watchWarming();
addEventListener("hashchange", show);
addEventListener("language", () => {
  shown?.leave?.();
  shown = null;
  show();
});
show();

const PAUSE = 700;
const SLOW = 3; // functions: what was compiled before is only read, and nothing has to be said

/** Look how far it is until it is done. */
async function watchWarming() {
  const bar = h("aside.warming", { role: "status", hidden: true });
  document.body.append(bar);
  for (;;) {
    const { done, of, compiled } = await request("api/ready").catch(() => ({}));
    if (!(done < of)) return bar.remove();
    bar.hidden = compiled < SLOW;
    refill(bar, h("p", t("warming")), h("progress", { max: of, value: String(done), "aria-label": t("warming") }));
    await new Promise((go) => setTimeout(go, PAUSE));
  }
}
