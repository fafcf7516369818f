/** The game's drawings, each kept once as an SVG symbol and shown by reference. The page draws none itself. */

import { request } from "./connection.js";
import { h, s } from "./dom.js";

const known = new Map();
const home = s("svg", { width: 0, height: 0, class: "drawings", "aria-hidden": "true" });

/** Keep drawings that the server sent: name -> {box, svg, text}. */
export function keepDrawings(drawings) {
  if (!home.isConnected) document.body.prepend(home);
  for (const [name, drawing] of Object.entries(drawings ?? {})) if (!known.has(name)) keep(name, drawing);
}

function keep(name, { box, svg, text }) {
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`;
  const parsed = new DOMParser().parseFromString(drawn, "image/svg+xml");
  const symbol = s("symbol", { id: `drawing-${name}`, viewBox: box.join(" "), overflow: "visible" });
  for (const child of [...parsed.documentElement.childNodes]) symbol.append(document.importNode(child, true));
  for (const title of symbol.querySelectorAll("title, script")) title.remove();
  home.append(symbol);
  known.set(name, { box, text });
}

/** Those of the names whose drawings are not here yet. */
export const missingDrawings = (names) => [...new Set(names)].filter((name) => !known.has(name));

/** Fetch those of the names that no table has brought yet: for the legend, the rules and the log. */
export async function needDrawings(game, names) {
  const missing = missingDrawings(names);
  if (!missing.length) return;
  const { drawings } = await request(`api/drawings?${new URLSearchParams({ game, names: missing.join(",") })}`);
  keepDrawings(drawings);
}

/** A drawing to stand in the page's flow; decorative, for what it shows is said beside it. */
export function picture(name, className = "") {
  const [x, y, width, height] = known.get(name)?.box ?? [0, 0, 20, 20];
  const marks = { class: `picture ${className}`, "aria-hidden": "true", "data-drawing": name };
  return s("svg", { viewBox: `${x} ${y} ${width} ${height}`, ...marks }, use(name, { x, y, width, height }));
}

/** A thing in a sentence: its drawing and its name. */
export const thing = (name, words, title = null) =>
  h("span.thing", { title }, known.has(name) ? picture(name, "in-text") : null, words);

/** A drawing within an SVG. */
export const use = (name, attributes = {}) => s("use", { href: `#drawing-${name}`, ...attributes });
