/** The page begins here: the lobby, or the game that the address names. */

import { request } from "./connection.js";
import { h, refill } from "./dom.js";
import { GamePage } from "./game_page.js";
import { gameOf } from "./games.js";
import { addTexts, t } from "./i18n.js";
import { startLive } from "./live.js";
import { Lobby } from "./lobby.js";
import { startRoving } from "./roving.js";
import { texts } from "./texts.js";
import { startTips } from "./tips.js";
import { watchWarming } from "./warming.js";

addTexts(texts);

const page = document.getElementById("page");
let shown = null;
let info = null;

/** What the fragment says: the game, the key, the moment; or a puzzle, and of which game. */
const place = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Go to another place of the page. */
export function visit(values) {
  location.hash = new URLSearchParams(values).toString();
}

async function show() {
  const { game, key, move, guide, puzzle, of } = place();
  if (shown?.here?.(game, key)) return shown.moment(move);
  shown?.leave();
  shown = null;
  try {
    info ??= await request("api/info");
    const about = info.games.find((one) => one.name === of) ?? info.games[0];
    if (puzzle) shown = await (await gameOf(about)).openPuzzle(page, about, puzzle);
    else if (!game) shown = new Lobby(page, info, visit);
    else shown = await GamePage.enter(page, info, { id: game, key, moment: move, guided: Boolean(guide), visit });
  } catch (error) {
    refill(page, h("div", { class: "trouble" }, h("h1", {}, t("trouble")), h("p", {}, error.message), h("a", { class: "button", href: "#" }, t("to_lobby"))));
  }
}

startLive();
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
