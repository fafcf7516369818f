/** What this browser keeps between visits. In a frame of a foreign page it may keep nothing: then it forgets. */

/** A text that was kept, else null. */
export function storedText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text. */
export function storeText(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // nothing is kept here
  }
}

/** A value that was kept, else another one. */
export function stored(name, otherwise) {
  try {
    return JSON.parse(storedText(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value. */
export const store = (name, value) => storeText(name, JSON.stringify(value));

const KEPT = "oddville.preferences";
const defaults = {
  motion: true,
  confirm: true,
  heat: true,
  agent: null,
  second: "",
  name: "",
  sound: true,
  notify: false,
  replay: "normal",
  taught: [],
};

/** The preferences as they are. */
export const preferences = { ...defaults, ...stored(KEPT, {}) };

const LESS = "(prefers-reduced-motion: reduce)";

/** Is movement shown? Not where less motion is preferred, here or in the system. */
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
