/** The page's texts in the visitor's language: key -> words, in a file for each language. */

import { storedText, storeText } from "./storage.js";

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" };
const MARK = "\u0000";
const KEPT = "oddville.language";
const texts = new Map(Object.keys(LANGUAGES).map((name) => [name, new Map()]));

let language = chosen();

function chosen() {
  const wished = [storedText(KEPT), ...navigator.languages.map((name) => name.slice(0, 2))];
  return wished.find((name) => texts.has(name)) ?? "en";
}

/** Add texts: language -> key -> words. */
export function addTexts(more) {
  for (const [name, table] of Object.entries(more))
    for (const [key, words] of Object.entries(table)) texts.get(name).set(key, words);
}

/** The language spoken now. */
export const speaking = () => language;

/** Speak another language from now on. */
export function speak(name) {
  language = name;
  storeText(KEPT, name);
  document.documentElement.lang = name;
}

/** The text of a key with {names} filled in; "{n|coin|coins}" chooses by a number. */
export function t(key, values = {}) {
  const fill = (_, name, one, many) =>
    one === undefined ? String(values[name] ?? "") : Number(values[name]) === 1 ? one : many;
  const words = texts.get(language).get(key) ?? key;
  return words.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, fill);
}

/** A text with elements filled in. */
export function told(key, values = {}, ...things) {
  const marked = Object.fromEntries(["thing", "other"].map((name) => [name, MARK]));
  return t(key, { ...values, ...marked })
    .split(MARK)
    .flatMap((words, place) => (place ? [things[place - 1], words] : [words]));
}

/** Words that data brings along: translated where the page knows them under this key, else as they are. */
export const translated = (key, words) => (texts.get("en").get(key) === words ? t(key) : words);

/** 0.5 -> "50 %". */
export const percent = (part) => `${Math.round(100 * part)} %`;

/** A loss of 0.123 with a standard error of 0.004 -> "−12.3 ± 0.4 %". */
export function lossWords(loss, error = null) {
  const [lost, doubt] = [Math.abs(loss), error].map((part) => (100 * part).toFixed(1));
  return `${loss < 0 ? "+" : "−"}${lost}${error === null ? "" : ` ± ${doubt}`} %`;
}

/** Is there a text of this key? */
export const hasText = (key) => texts.get("en").has(key);

document.documentElement.lang = language;
