/** One table of texts for all languages: key -> [English, German, Dutch]. */

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" };
const ORDER = Object.keys(LANGUAGES);
const KEPT = "oddville.language";
const texts = new Map();

let language = chosen();

function chosen() {
  const kept = localStorage.getItem(KEPT);
  const wished = [kept, ...navigator.languages.map((name) => name.slice(0, 2))];
  return wished.find((name) => ORDER.includes(name)) ?? "en";
}

/** Add texts to the table. */
export function addTexts(more) {
  for (const [key, all] of Object.entries(more)) texts.set(key, all);
}

/** The language spoken now. */
export const speaking = () => language;

/** Speak another language from now on. */
export function speak(name) {
  language = name;
  localStorage.setItem(KEPT, name);
  document.documentElement.lang = name;
}

/** The text of a key with {names} filled in; "{n|coin|coins}" chooses by a number. */
export function t(key, values = {}) {
  const all = texts.get(key);
  if (!all) return key;
  return all[ORDER.indexOf(language)].replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    one === undefined ? String(values[name] ?? "") : Number(values[name]) === 1 ? one : many,
  );
}

/** Words that data brings along: translated where the table knows them under this key, else as they are. */
export const translated = (key, words) => (texts.get(key)?.[0] === words ? t(key) : words);

/** Is there a text of this key? */
export const hasText = (key) => texts.has(key);

document.documentElement.lang = language;
