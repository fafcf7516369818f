/** The page begins here: the lobby, or the game that the address names. */

import { GamePage } from "./around/game_page.js";
import { Lobby } from "./around/lobby.js";
import { request } from "./base/connection.js";
import { h, refill, trouble } from "./base/dom.js";
import { gameOf } from "./base/games.js";
import { addTexts, t } from "./base/i18n.js";
import { startAnnouncements, startTips } from "./base/overlays.js";
import { startMotion } from "./base/storage.js";
import { startRoving } from "./table/keyboard.js";

import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

addTexts({ en, de, nl });

const page = document.getElementById("page");
let shown = null;
let visiting = new AbortController(); // what is still being fetched for another place is left
let info = null;

/** What the fragment says: the game, the key, the moment; or a puzzle, and of which game. */
const place = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Go to another place of the page. */
export function visit(values) {
  location.hash = new URLSearchParams(values).toString();
}

/** Enter a game, or show its invitation; accepting it enters again, by name. */
async function enter(where) {
  shown?.leave();
  shown = await GamePage.enter(page, info, where);
}

async function show() {
  const { game, key, move, guide, puzzle, of, lesson } = place();
  if (shown?.here?.(game, key)) return shown.moment(move);
  shown?.leave();
  shown = null;
  visiting.abort();
  visiting = new AbortController();
  const { signal } = visiting;
  try {
    const asked = [info ?? request("api/info"), game ? GamePage.ask(game, key) : null];
    const [may, found] = await Promise.all(asked);
    signal.throwIfAborted();
    info = may;
    const about = info.games.find((one) => one.name === of) ?? info.games[0];
    if (puzzle) shown = await (await gameOf(about)).openPuzzle(page, about, puzzle, signal, lesson && visit);
    else if (!game) shown = new Lobby(page, info, visit);
    else await enter({ id: game, key, found, moment: move, guided: Boolean(guide), lesson, visit, enter, signal });
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
  shown?.leave();
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
