/** What lies over the page: remarks, announcements for screen readers, dialogs and tips. */

import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";

const SHOWN = 5000;
const HEARD = 12; // lines that are kept: quick moves of others are heard one after the other
const region = h(".unseen", { role: "log", "aria-live": "polite" });
const notes = h(".notes", { role: "alert" });

/** Put both regions into the page. */
export const startAnnouncements = () => document.body.append(region, notes);

/** Say something to screen readers. */
export function announce(words) {
  region.append(h("p", words));
  while (region.children.length > HEARD) region.firstChild.remove();
}

/** Show a remark for a while. */
export function remark(words, kind = "plain") {
  const note = h("div", { class: `note ${kind}` }, words);
  notes.replaceChildren(note);
  setTimeout(() => note.remove(), SHOWN);
}

/** Do something; what goes wrong is told, by its own words or by a text's name. Says false where it went wrong. */
export async function orTell(does, text = null) {
  try {
    await does();
    return true;
  } catch (error) {
    remark(text ? t(text) : error.message, "wrong");
    return false;
  }
}

/** Open a window; it closes by its button, by Escape and by a click outside, and is then forgotten. */
export function openDialog(title, content, { className = "", closed = () => {} } = {}) {
  const dialog = h("dialog", { class: `dialog ${className}`, "aria-labelledby": "dialog-title" });
  const close = () => dialog.close();
  dialog.append(
    h("header.dialog-head", h("h2", { id: "dialog-title" }, title), iconButton("close", t("close"), close)),
    h(".dialog-body", { tabindex: 0 }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const HOVER = 350;
const PRESS = 450;
const EDGE = 8;
const NAMED = "[data-tip], [title], [aria-label], [data-touch]"; // a long press says what it is
const told = new WeakMap();
const box = h(".tip", { role: "tooltip", id: "tip", hidden: true });
let timer = null;
let shown = null;
let pressed = false;

/** Give an element a tip: a function that returns children for it, asked when it is shown. Returns the element. */
export function tip(element, content) {
  told.set(element, content);
  element.setAttribute("data-tip", "");
  return element;
}

/** What an element without a tip is called. */
const nameOf = (element) =>
  element.title || element.getAttribute("aria-label") || element.querySelector(":scope > .unseen")?.textContent;

function show(element) {
  const content = told.get(element)?.() ?? nameOf(element);
  if (!content || !element.isConnected) return;
  hide();
  (element.closest("dialog") ?? document.querySelector("main")).append(box);
  box.replaceChildren(...[content].flat().filter(Boolean));
  box.hidden = false;
  shown = element;
  element.setAttribute("aria-describedby", "tip");
  place(element.getBoundingClientRect());
}

function place(around) {
  const { offsetWidth: width, offsetHeight: height } = box;
  const left = Math.min(Math.max(around.left + around.width / 2 - width / 2, EDGE), innerWidth - width - EDGE);
  const above = around.top - height - EDGE;
  const top = above >= EDGE ? above : Math.min(around.bottom + EDGE, innerHeight - height - EDGE);
  box.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(top, EDGE))}px)`;
}

/** Hide the tip that is shown. */
export function hide() {
  clearTimeout(timer);
  if (!shown) return;
  shown.removeAttribute("aria-describedby");
  shown = null;
  box.hidden = true;
}

const near = (event, what = "[data-tip]") => (event.target instanceof Element ? event.target.closest(what) : null);

function later(element, wait) {
  clearTimeout(timer);
  timer = setTimeout(() => show(element), wait);
}

/** Listen for all tips of the page. */
export function startTips() {
  document.addEventListener("pointerover", (event) => {
    const element = near(event);
    if (event.pointerType !== "mouse" || element === shown) return;
    hide();
    if (element) later(element, HOVER);
  });
  document.addEventListener("pointerdown", (event) => {
    hide();
    pressed = false;
    const element = near(event, NAMED);
    if (!element || event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      pressed = true;
      show(element);
    }, PRESS);
  });
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => clearTimeout(timer));
  document.addEventListener("click", swallow, true);
  document.addEventListener("contextmenu", (event) => near(event, NAMED) && pressed && event.preventDefault());
  document.addEventListener("focusin", (event) => {
    const element = near(event);
    if (element && document.activeElement.matches(":focus-visible")) later(element, HOVER);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

/** The click that ends a long press is no touch. */
function swallow(event) {
  if (!pressed) return;
  pressed = false;
  event.stopPropagation();
  event.preventDefault();
}
