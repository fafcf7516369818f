/** The keyboard: what may be done from anywhere in a game, and arrow keys within a region. */

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
    j: () => page.where.among?.go(1),
    k: () => page.where.among?.go(-1),
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
  const spot = page.state?.table?.seats?.[nearSeat(page.state)]?.hand?.[number - 1]?.spot;
  if (spot && page.choice.open(spot)) page.touch(spot);
}

const ALONG = { ArrowLeft: -1, ArrowRight: 1 };
const ACROSS = { ArrowUp: -1, ArrowDown: 1 };
const LEVEL = 24; // pixels within which things stand in one line
const OFF_AXIS = 2.5; // how much worse a step aside is than a step ahead

const stops = (region) => [...region.querySelectorAll("[data-stop]:not([hidden])")];
const seen = (stop) => stop.getClientRects().length > 0;

/** Let exactly one stop of each region be reached by Tab: the one that was left last, else one that is lit or selected, else the first. */
export function tidyStops(root) {
  for (const region of root.querySelectorAll("[data-roving]")) {
    const all = stops(region);
    const held = all.find((stop) => stop === document.activeElement);
    const entry = held ?? all.find((stop) => stop.closest('.lit, [aria-selected="true"]')) ?? all[0];
    for (const stop of all) stop.setAttribute("tabindex", stop === entry ? "0" : "-1");
  }
}

/** Listen for arrow keys. */
export function startRoving(root) {
  root.addEventListener("keydown", (event) => {
    const region = event.target.closest?.("[data-roving]");
    if (!region || !event.target.matches("[data-stop]")) return;
    const next = following(event.target, stops(region).filter(seen), event.key);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

function following(from, all, key) {
  if (ALONG[key]) {
    const order = asRead(all);
    return order[(order.indexOf(from) + ALONG[key] + order.length) % order.length];
  }
  return ACROSS[key] ? nearest(from, all, ACROSS[key]) : null;
}

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

/** Line by line, from left to right. */
function asRead(all) {
  const places = new Map(all.map((stop) => [stop, middle(stop)]));
  const level = (stop) => Math.round(places.get(stop)[1] / LEVEL);
  return [...all].sort((one, other) => level(one) - level(other) || places.get(one)[0] - places.get(other)[0]);
}

/** The nearest thing above or below; what stands aside is further away than what stands straight ahead. */
function nearest(from, all, down) {
  const [left, top] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of all) {
    const [x, y] = middle(other);
    const ahead = (y - top) * down;
    const far = ahead + OFF_AXIS * Math.abs(x - left);
    if (ahead > LEVEL / 2 && far < least) [best, least] = [other, far];
  }
  return best;
}
