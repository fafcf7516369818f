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
