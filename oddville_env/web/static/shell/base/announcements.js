/** What happens, for those who hear the page; and short remarks for all. */

import { h } from "./dom.js";

const SHOWN = 5000;
const region = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
const notes = h("div", { class: "notes", role: "alert" });

/** Put both regions into the page. */
export function startAnnouncements() {
  document.body.append(region, notes);
}

/** Say something to screen readers. */
export function announce(words) {
  region.textContent = words;
}

/** Show a remark for a while. */
export function remark(words, kind = "plain") {
  const note = h("div", { class: `note ${kind}` }, words);
  notes.replaceChildren(note);
  setTimeout(() => note.remove(), SHOWN);
}
