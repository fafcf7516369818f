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

/** Change one of them. */
export function prefer(name, value) {
  preferences[name] = value;
  store(KEPT, preferences);
}
