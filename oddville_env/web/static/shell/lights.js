/** What the choice offers is lit on the table, and what it has is marked. */

import { tidyStops } from "./roving.js";

/** Light the spots of a table by what has been chosen so far. */
export function lightSpots(choice, state, root) {
  const { spots } = choice;
  const offered = state.may.move || spots.length ? choice.offered : new Set();
  for (const element of root.querySelectorAll("[data-spot]")) {
    const { spot } = element.dataset;
    element.classList.toggle("lit", offered.has(spot) && !spots.includes(spot));
    element.classList.toggle("chosen", spots.includes(spot));
  }
  for (const element of root.querySelectorAll("[data-touch]")) {
    const { touch } = element.dataset;
    element.setAttribute("aria-disabled", String(!choice.open(touch)));
    if (element.tagName === "BUTTON") element.setAttribute("aria-pressed", String(spots.includes(touch)));
  }
  tidyStops(root);
}
