/** What this visitor prefers, kept in this browser alone. */

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
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

/** The preferences as they are. */
export const preferences = { ...defaults, ...kept() };

/** Change one of them. */
export function prefer(name, value) {
  preferences[name] = value;
  localStorage.setItem(KEPT, JSON.stringify(preferences));
}
