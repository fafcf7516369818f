/** Things on the table that can be touched: what the choice offers is lit, and what it has is marked. */

import { h } from "../base/dom.js";
import { tidyStops } from "./keyboard.js";

/** Light the spots of a table by what has been chosen so far. @param {import("./choice.js").Choice} choice @param {Protocol.State} state */
export function highlightSpots(choice, state, root) {
  const { spots } = choice;
  const offered = state.may.move || spots.length ? choice.offered : new Set();
  for (const element of root.querySelectorAll("[data-spot]")) {
    const { spot } = element.dataset;
    element.classList.toggle("lit", offered.has(spot) && !spots.includes(spot));
    element.classList.toggle("chosen", spots.includes(spot));
  }
  for (const element of root.querySelectorAll("[data-touch]")) {
    const { touch } = element.dataset;
    element.setAttribute("aria-disabled", String(!choice.fits(touch)));
    if (element.tagName === "BUTTON") element.setAttribute("aria-pressed", String(spots.includes(touch)));
  }
  tidyStops(root);
}

/** The attributes of something on a spot that arrow keys reach and screen readers name. */
export const seen = (spot, label) => {
  const marks = { "data-spot": spot, "data-stop": true, tabindex: -1, role: "img" };
  return { ...marks, "aria-label": label };
};

/** The same of a drawing that can be touched. */
export const drawnTouch = (spot, label) => ({ ...seen(spot, label), "data-touch": spot, role: "button" });

/** A button that lies on a spot; `label` is what it is called: it is heard in place of what is seen on it. */
export function touchable(spot, label, attributes, ...children) {
  const shown = children.flat(Infinity).filter(Boolean);
  for (const child of shown) child.setAttribute("aria-hidden", "true");
  const place = { type: "button", "data-spot": spot, "data-touch": spot, "data-stop": true };
  return h("button", { ...place, ...attributes }, h("span.unseen", label), shown);
}

/** A button that covers its parent, for spots that hold other things to touch. */
export const cover = (spot, label, attributes = {}) =>
  h("button.cover", { type: "button", "data-touch": spot, "data-stop": true, "aria-label": label, ...attributes });
