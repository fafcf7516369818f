/** What happens, for those who hear the page; and short remarks for all. */

import { h } from "./dom.js";

const SHOWN = 5000;
const HEARD = 12; // lines that are kept: quick moves of others are heard one after the other
const region = h("div", { class: "unseen", role: "log", "aria-live": "polite" });
const notes = h("div", { class: "notes", role: "alert" });

/** Put both regions into the page. */
export function startAnnouncements() {
  document.body.append(region, notes);
}

/** Say something to screen readers. */
export function announce(words) {
  region.append(h("p", {}, words));
  while (region.children.length > HEARD) region.firstChild.remove();
}

/** Show a remark for a while. */
export function remark(words, kind = "plain") {
  const note = h("div", { class: `note ${kind}` }, words);
  notes.replaceChildren(note);
  setTimeout(() => note.remove(), SHOWN);
}
