/** What this visitor prefers, kept in this browser alone. */

import { store, stored } from "./storage.js";

const KEPT = "oddville.preferences";
const defaults = {
  motion: true,
  confirm: true,
  heat: true,
  agent: null,
  name: "",
  sound: true,
  notify: false,
  replay: "normal",
  taught: [],
};

/** The preferences as they are. */
export const preferences = { ...defaults, ...stored(KEPT, {}) };

const LESS = "(prefers-reduced-motion: reduce)";

/** Is movement shown? Not to who prefers less of it, here or in their system. */
export const wantsMotion = () => preferences.motion && !matchMedia(LESS).matches;

const showMotion = () => document.documentElement.classList.toggle("still", !wantsMotion());

/** Let the page move, or rest, by what is preferred from now on. */
export function startMotion() {
  showMotion();
  matchMedia(LESS).addEventListener("change", showMotion);
}

/** Change one of them. */
export function prefer(name, value) {
  preferences[name] = value;
  showMotion();
  store(KEPT, preferences);
}
