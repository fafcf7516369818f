/** What the page says: texts, sentences of moves, clues. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./browser.js";

const page = "../../../oddville_env/web/static";
const { addTexts, hasText, speak, t, translated } = await import(`${page}/shell/base/i18n.js`);
const { problemWords } = await import(`${page}/shell/base/connection.js`);
const { agentName } = await import(`${page}/shell/base/games.js`);
const { game: oddville } = await import(`${page}/oddville/game.js`);
const { game: oldtown } = await import(`${page}/oldtown/game.js`);
const { clue, keepFacts, listed } = await import(`${page}/oldtown/facts.js`);
addTexts({
  en: { n_things: "{n} {n|thing|things} of {name}" },
  de: { n_things: "{n} Dinge" },
  nl: { n_things: "{n} dingen" },
});

test("a text fills in values, and chooses by a number", () => {
  assert.equal(t("n_things", { n: 1, name: "Ann" }), "1 thing of Ann");
  assert.equal(t("n_things", { n: 2 }), "2 things of ");
});

test("a key without a text is shown as it is, whatever it is called", () => {
  assert.equal(t("no_such_key"), "no_such_key");
  assert.equal(t("constructor"), "constructor");
  assert.equal(hasText("toString"), false);
});

test("another language is spoken from now on, and kept", () => {
  speak("de");
  assert.equal(t("n_things", { n: 2 }), "2 Dinge");
  assert.equal(storage.getItem("oddville.language"), "de");
  assert.equal(document.documentElement.lang, "de");
  speak("en");
});

test("words of a deck are translated only where they are the words that the page knows", () => {
  speak("de");
  assert.equal(translated("building_bank", "Bank"), "Bank");
  assert.equal(translated("building_school", "Academy"), "Academy");
  speak("en");
});

test("an agent is named by what the page knows of it", () => {
  addTexts({ en: { agent_search: "Search" }, de: { agent_search: "Suche" }, nl: { agent_search: "Zoeker" } });
  assert.equal(agentName("search:ms=1500"), "Search, 1.5 s");
  assert.equal(agentName("search:sims=64"), "Search (sims=64)");
  assert.equal(agentName("somebody:x=1"), "somebody:x=1");
});

test("every kind of move of both games is a sentence in every language", () => {
  const words = {
    oddville: [
      "setup:wood",
      "recover",
      "coins:3",
      "take:2:clay",
      "buy:1:4",
      "build:1:-2,3",
      "move:wood@2>stone",
      "swap:1:4",
      "drop:2",
      "return:wood@1",
      "done",
    ],
    oldtown: ["take:bank", "play:7", "play:45:hotel", "show:3", "remove:saloon@7", "draw:own", "draw:common", "pass"],
  };
  for (const language of ["en", "de", "nl"]) {
    speak(language);
    for (const game of [oddville, oldtown])
      for (const word of words[game.name])
        assert.doesNotMatch(game.sentenceOf(word), /^(town_)?move_|undefined|[{}]|^$/, `${language} ${word}`);
  }
  speak("en");
});

test("lists end with a word", () => {
  assert.equal(listed([4, 8, 12]), "4, 8 or 12");
  assert.equal(listed(["a", "b"], "and"), "a and b");
  assert.equal(listed([]), "");
});

test("a clue is a sentence about its building, or about mine", () => {
  keepFacts({
    cards: { 1: { type: "a", building: "bank", lots: [1, 2] }, 2: { type: "b", building: null, lots: [3, 4] } },
    names: { bank: { name: "Bank" } },
  });
  assert.equal(clue(1), "The Bank stood on lot 1 or 2.");
  assert.equal(clue(2), "My building stood on lot 3 or 4.");
  assert.equal(clue(2, "bank"), "The Bank stood on lot 3 or 4.");
});

test("what the server refuses is said in the visitor's language, else as the server says it", () => {
  addTexts({ de: { error_seats: "Das Spiel hat {n} Plätze." }, en: { error_seats: "The game has {n} seats." } });
  speak("de");
  const problem = { code: "not_allowed", why: "seats", values: { n: 3 }, message: "the game has 3 seats, not 2" };
  assert.equal(problemWords(problem), "Das Spiel hat 3 Plätze.");
  assert.equal(problemWords({ ...problem, why: "new" }), "the game has 3 seats, not 2");
  speak("en");
});

test("buildings have their articles, in the case of the sentence", () => {
  speak("de");
  keepFacts({ names: { stable: { name: "Stable" }, bank: { name: "Bank" }, den: { name: "Den" } } });
  assert.equal(oldtown.sentenceOf("take:stable"), "Nimm den Stall");
  assert.equal(oldtown.sentenceOf("play:45:stable"), "Spiele Karte 45 mit dem Stall");
  assert.equal(oldtown.sentenceOf("remove:bank@7"), "Entferne den Marker für die Bank von Platz 7");
  assert.equal(oldtown.sentenceOf("take:den"), "Nimm Den");
  speak("nl");
  keepFacts({ names: { hotel: { name: "Hotel" } } });
  assert.equal(oldtown.sentenceOf("take:hotel"), "Neem het Hotel");
  speak("en");
  assert.equal(oldtown.sentenceOf("take:bank"), "Take the Bank");
});
