/** The keyboard: what may be done from anywhere in a game. */

import { nearSeat } from "./seats.js";

const TYPING = "input, select, textarea, dialog";

/** A key is meant for something else than the page: a field, a dialog, the browser. */
export const isTyping = (event) =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.target.closest?.(TYPING) ||
  document.querySelector("dialog[open]") !== null;

/** The listener for a game's page. @param {import("../around/game_page.js").GamePage} page */
export function keysOf(page) {
  const does = {
    Escape: () => page.missed.skip() || page.choice.back(),
    u: () => page.state?.may.undo && page.send({ type: "undo" }),
    h: () => page.state?.may.hint && page.send({ type: "hint" }),
    "[": () => page.panels.playback.step(-1),
    "]": () => page.panels.playback.step(1),
    p: () => page.panels.playback.toggle(),
  };
  return (event) => {
    page.byKeys = true;
    if (isTyping(event)) return;
    if (event.key === "Enter" && page.choice.staged && !event.target.closest?.("button, a, [role=button]"))
      return page.confirm();
    if (/^[1-9]$/.test(event.key)) return numbered(page, Number(event.key));
    does[event.key]?.();
  };
}

/** A number touches the n-th card of the own hand. @param {import("../around/game_page.js").GamePage} page */
function numbered(page, number) {
  const hand = page.state?.table?.seats?.[nearSeat(page.state)]?.hand;
  const spot = hand?.[number - 1]?.spot;
  if (spot && page.choice.open(spot)) page.touch(spot);
}
