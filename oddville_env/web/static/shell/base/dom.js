/** Elements from words: whatever a player wrote enters the page as text, never as markup. */

import { t } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element from `name.class.class` (`div` where no name is given), attributes if the next argument is a plain
 * object, and children. `on*` are listeners, `style` is an object; null and false are left out.
 * @returns {any}
 */
export const h = (kind, ...parts) => made((name) => document.createElement(name || "div"), kind, parts);

/** An SVG element, in the same way. @returns {any} */
export const s = (kind, ...parts) => made((name) => document.createElementNS(SVG, name), kind, parts);

const isAttributes = (part) => Boolean(part) && Object.getPrototypeOf(part) === Object.prototype;
const kept = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

function made(create, kind, parts) {
  const [name, ...classes] = kind.split(".");
  const [attributes, children] = isAttributes(parts[0]) ? [parts[0], parts.slice(1)] : [{}, parts];
  const element = create(name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...kept(children));
  return element;
}

/** A part of a game's page. */
export class Part {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
  }
}

/** Put other children into an element; the focus stays on the part with the same touch or key. */
export function refill(element, ...children) {
  const name = focusName(element);
  element.replaceChildren(...kept(children));
  if (name) element.querySelector(name)?.focus({ preventScroll: true });
}

function focusName(element) {
  const held = document.activeElement;
  if (!held || held === element || !element.contains(held)) return null;
  for (const attribute of ["data-touch", "data-key", "id"]) {
    const value = held.getAttribute(attribute);
    if (value) return `[${attribute}="${CSS.escape(value)}"]`;
  }
  return null;
}

/** A panel with a heading, which is also its name. */
export const panel = (classes, title, ...parts) =>
  h("section", { class: `panel ${classes}`, "aria-label": title }, h("h2", title), ...parts);

/** A panel with a list; `show(things, ...more)` shows things, each as `line(thing, ...more)`. */
export function listPanel(list, classes, title, line, ...before) {
  const lines = h("div", { class: list, "data-roving": true });
  const drawn = (things, more) => things.map((thing) => line(thing, ...more));
  const show = (things, ...more) => refill(lines, drawn(things, more));
  return { element: panel(classes, title, ...before, lines), show };
}

/** The first element with this spot. */
export const spotElement = (spot, root = document) => root.querySelector(`[data-spot="${CSS.escape(spot)}"]`);

/** A button with words (and an icon before them). */
export const button = (words, act, attributes = {}) =>
  h("button", { type: "button", class: "button", onclick: act, ...attributes }, words);

/** The bar above a game that is one of several: the way back, and steps to those before and after it by `among`; the
 * names of the three are texts' `keys`. */
export function wayBar(keys, href, among, which, ...parts) {
  const [title, before, after] = keys.map((key) => t(key));
  const step = (icon, by, words) =>
    iconButton(icon, words, () => among.go(by), { disabled: !among.next(by), "data-key": icon });
  const steps = [step("back", -1, `${before} (K)`), step("next", 1, `${after} (J)`)];
  return h("nav.among", { "aria-label": title }, h("a", { href }, title), parts, h("span.which", which, steps));
}

/** A page that says what went wrong, and the way out. */
export const trouble = (title, words, way) =>
  h(".trouble", h("h1", title), h("p", words), h("a.button", { href: "#" }, way));

/** A control with its label before it, and a note behind it. */
export const field = (label, control, note = null) =>
  h("label.field", h("span", label), control, note && h("small", note));

/** A box to tick; `change(ticked, box)` is called when it is. */
export const toggle = (words, checked, change) => {
  const onchange = ({ target }) => change(target.checked, target);
  return h("label.toggle", h("input", { type: "checkbox", checked, onchange }), h("span", words));
};

/** A choice of options, [value, words, attributes] each or elements; `change(value)` is called when another is chosen. */
export function choice(options, chosen, change, attributes = {}) {
  const drawn = options.map((one) => (Array.isArray(one) ? option(/** @type {any} */ (one), chosen) : one));
  return h("select", { onchange: (event) => change(event.target.value), ...attributes }, drawn);
}

/** An option of a choice. */
export const option = ([value, words, more = {}], chosen) =>
  h("option", { value, selected: String(value) === String(chosen), ...more }, words);

/** A field for a short text, as a name. */
export const textField = (value, label, attributes = {}) =>
  h("input", { type: "text", maxlength: 20, value, "aria-label": label, autocomplete: "off", ...attributes });

const KEPT = 60000; // milliseconds that a file is kept for the browser to save

/** Offer a file. */
export function saveFile(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** Offer rows of values as a CSV file. */
export function saveTable(name, rows) {
  const quoted = (value) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  const text = rows.map((row) => `${row.map(quoted).join()}\r\n`).join("");
  saveFile(name, new Blob([text], { type: "text/csv" }));
}

const PATHS = {
  undo: "M7 7H13a4.5 4.5 0 0 1 0 9H8M7 7l3.5-3.5M7 7l3.5 3.5",
  hint: "M10 2.8a5 5 0 0 1 2.8 9.2c-.6.5-.8 1.2-.8 2H8c0-.8-.2-1.5-.8-2A5 5 0 0 1 10 2.8ZM8.2 16.6h3.6",
  rules: "M10 5C8 3.6 5.4 3.4 3 4v11.5c2.4-.6 5-.4 7 1 2-1.4 4.6-1.6 7-1V4c-2.4-.6-5-.4-7 1Zm0 0v11.5",
  legend: "M4 5h2M4 10h2M4 15h2M9 5h7M9 10h7M9 15h7",
  share:
    "M7.5 11.5 12.5 14.500M12.5 5.5 7.5 8.500M5.5 10a2 2 0 1 1 .01 0ZM14.5 4.500a2 2 0 1 1 .01 0ZM14.5 15.500a2 2 0 1 1 .01 0Z",
  settings: "M3.5 6h7M14 6h2.500M12.2 6a1.8 1.8 0 1 0 .01 0M3.5 14h2.500M9.5 14h7M7.8 14a1.8 1.8 0 1 0 .01 0",
  play: "M7 4.500v11l8.5-5.500Z",
  pause: "M7 4.500v11M13 4.500v11",
  first: "M5 4.500v11M15 4.5 7.5 10 15 15.500Z",
  back: "M13 4.5 6 10l7 5.500Z",
  next: "M7 4.5 14 10l-7 5.500Z",
  last: "M15 4.500v11M5 4.5 12.5 10 5 15.500Z",
  plus: "M10 4.500v11M4.5 10h11",
  minus: "M4.5 10h11",
  fit: "M4 8V4h4M16 8V4h-4M4 12v4h4M16 12v4h-4",
  close: "M5 5l10 10M15 5 5 15",
};

/** A line icon of the page itself; what lies on the table is never drawn here. */
export const icon = (name) =>
  s("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));

/** A button with an icon alone, and its name for screen readers. */
export const iconButton = (name, words, act, attributes = {}) =>
  button(icon(name), act, { class: "icon-button", "aria-label": words, title: words, ...attributes });
