/** The page without a browser: choices, texts and sentences, clocks, drags, zoom, pencil marks, charts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./browser.js";

const page = "../../../oddville_env/web/static";
const { Choice } = await import(`${page}/shell/table/choice.js`);
const { clockWords, lowAt, termsWords } = await import(`${page}/shell/table/clocks.js`);
const { addTexts, hasText, lossWords, speak, t, translated } = await import(`${page}/shell/base/i18n.js`);
const { problemWords } = await import(`${page}/shell/base/connection.js`);
const { agentName } = await import(`${page}/shell/base/games.js`);
const { targetsOf, waysOf } = await import(`${page}/shell/table/dragging.js`);
const { closer, within } = await import(`${page}/shell/table/zoom_view.js`);
const { smooth } = await import(`${page}/shell/beside/charts.js`);
const { game: oddville } = await import(`${page}/oddville/game.js`);
const { game: oldtown } = await import(`${page}/oldtown/game.js`);
const { clue, keepFacts, listed } = await import(`${page}/oldtown/facts.js`);
const { Marks } = await import(`${page}/oldtown/puzzle/board.js`);
for (const name of ["en", "de"])
  addTexts({ [name]: (await import(`${page}/shell/texts/${name}.json`, { with: { type: "json" } })).default });
addTexts({ en: { n_things: "{n} {n|thing|things} of {name}" }, de: { n_things: "{n} Dinge" } });

const take = (worker, resource) => ({
  word: `take:${worker}:${resource}`,
  path: [`hand:0:${worker}`, `resource:${resource}`],
});
const TAKES = [{ kind: "take", rule: "W3", moves: [take(1, "clay"), take(1, "wood"), take(2, "clay")] }];
const show = (card, other) => ({
  word: `show:${card}`,
  path: [`hand:0:${card}`],
  then: [{ spot: `hand:0:${other}`, word: `show:${other}` }],
});
const PAIR = [{ kind: "show", rule: "Q1", moves: [show(3, 5), show(5, 3)] }];

function chosen(groups, ...spots) {
  const choice = new Choice(() => {});
  choice.clear(groups);
  for (const spot of spots) choice.touch(spot);
  return choice;
}

test("a move is staged when the touched spots, in any order, leave only it", () => {
  const rows = [
    [[], null],
    [["hand:0:2", "resource:clay"], "take:2:clay"],
    [["resource:clay", "hand:0:2"], "take:2:clay"],
    [["resource:wood"], "take:1:wood"],
    [["resource:stone"], null],
  ];
  for (const [spots, word] of rows) assert.equal(chosen(TAKES, ...spots).staged?.word ?? null, word);
  assert.deepEqual([...chosen(TAKES).offered], ["hand:0:1", "hand:0:2"]);
  assert.deepEqual(chosen(TAKES, "resource:stone").spots, []);
});

test("a spot that does not go with the last ones replaces them, and only fitting ones may be touched", () => {
  const choice = chosen(TAKES, "resource:wood", "hand:0:2");
  assert.deepEqual(choice.spots, ["hand:0:2"]);
  const spots = ["hand:0:2", "resource:clay", "resource:wood", "hand:0:1"];
  assert.deepEqual(spots.filter(choice.fits, choice), ["hand:0:2", "resource:clay"]);
});

test("touching the last spot of a staged move again confirms it, another one goes back", () => {
  const choice = chosen(TAKES, "hand:0:1", "resource:wood");
  assert.equal(choice.touch("resource:wood"), true);
  assert.equal(choice.touch("hand:0:1"), false);
  assert.deepEqual(choice.spots, ["resource:wood"]);
});

test("a move that another follows is chosen together with it", () => {
  const choice = chosen(PAIR, "hand:0:5", "hand:0:3");
  assert.equal(choice.staged, null);
  const words = choice.candidates.map(({ word, next }) => `${word} ${next}`);
  assert.deepEqual(words.sort(), ["show:3 show:5", "show:5 show:3"]);
});

test("a text fills in values, and chooses by a number; an unknown key is shown as it is", () => {
  assert.equal(t("n_things", { n: 1, name: "Ann" }), "1 thing of Ann");
  assert.equal(t("n_things", { n: 2 }), "2 things of ");
  assert.equal(t("constructor"), "constructor");
  assert.equal(hasText("toString"), false);
});

test("another language is kept; words and refusals that the page does not know stay as they are", () => {
  speak("de");
  assert.equal(t("n_things", { n: 2 }), "2 Dinge");
  assert.equal(storage.getItem("oddville.language"), "de");
  assert.equal(document.documentElement.lang, "de");
  assert.equal(translated("building_bank", "Bank"), "Bank");
  assert.equal(translated("building_school", "Academy"), "Academy");
  const problem = { code: "not_allowed", why: "seats", values: { n: 3 }, message: "the game has 3 seats, not 2" };
  assert.equal(problemWords(problem), "Das Spiel hat 3 Plätze.");
  assert.equal(problemWords({ ...problem, why: "new" }), problem.message);
  speak("en");
});

test("an agent is named by what the page knows of it", () => {
  assert.equal(agentName("search:ms=1500"), "Search, 1.5 s");
  assert.equal(agentName("search:sims=64"), "Search (sims=64)");
  assert.equal(agentName("somebody:x=1"), "somebody:x=1");
});

const WORDS = {
  oddville:
    "setup:wood recover coins:3 take:2:clay buy:1:4 build:1:-2,3 move:wood@2>stone swap:1:4 drop:2 return:wood@1 done",
  oldtown: "take:bank play:7 play:45:hotel show:3 remove:saloon@7 draw:own draw:common pass",
};

test("every kind of move of both games is a sentence in every language", () => {
  for (const language of ["en", "de", "nl"]) {
    speak(language);
    for (const game of [oddville, oldtown])
      for (const word of WORDS[game.name].split(" "))
        assert.doesNotMatch(game.sentenceOf(word), /^(town_)?move_|undefined|[{}]|^$/, `${language} ${word}`);
  }
  speak("en");
});

test("the main phase of Old Town asks for what is legal", () => {
  const asked = (...kinds) => oldtown.prompt({ table: { phase: "main" }, legal: kinds.map((kind) => ({ kind })) });
  assert.deepEqual([asked("play"), asked("show")], ["Play a card.", "Show a pair of cards."]);
  assert.equal(asked("show", "play"), "Play a card, or show a pair.");
  assert.equal(asked("draw"), "None of your cards can be used now.");
});

test("a clue is a sentence about its building, or about mine; lists end with a word", () => {
  const cards = { 1: { type: "a", building: "bank", lots: [1, 2] }, 2: { type: "b", building: null, lots: [3, 4] } };
  keepFacts({ cards, names: { bank: { name: "Bank" } } });
  assert.equal(clue(1), "The Bank stood on lot 1 or 2.");
  assert.equal(clue(2), "My building stood on lot 3 or 4.");
  assert.equal(clue(2, "bank"), "The Bank stood on lot 3 or 4.");
  assert.deepEqual([listed([4, 8, 12]), listed(["a", "b"], "and"), listed([])], ["4, 8 or 12", "a and b", ""]);
});

test("buildings have their articles, in the case of the sentence", () => {
  keepFacts({
    names: { stable: { name: "Stable" }, bank: { name: "Bank" }, den: { name: "Den" }, hotel: { name: "Hotel" } },
  });
  const rows = [
    ["de", "take:stable", "Nimm den Stall"],
    ["de", "play:45:stable", "Spiele Karte 45 mit dem Stall"],
    ["de", "remove:bank@7", "Entferne den Marker für die Bank von Platz 7"],
    ["de", "take:den", "Nimm Den"],
    ["nl", "take:hotel", "Neem het Hotel"],
    ["en", "take:bank", "Take the Bank"],
  ];
  for (const [language, word, sentence] of rows) {
    speak(language);
    assert.equal(oldtown.sentenceOf(word), sentence);
  }
});

test("a time is shown in minutes and seconds, a short one in tenths", () => {
  const words = ["12:35", "10:00", "1:01:11", "1:00", "0:09.9", "0:08.1", "0:00.0"];
  assert.deepEqual([754.2, 600, 3671, 59.1, 9.99, 8.14, 0].map(clockWords), words);
  assert.equal(termsWords({ total: 60, increment: 0 }), "1 minute each");
  assert.equal(termsWords({ total: 90, increment: 1 }), "1.5 minutes each, 1 second more a turn");
});

test("little time is told at each limit once, and not every second", () => {
  const told = new Set();
  const times = [75, 61, 60, 59.5, 45, 30, 29.8, 12, 9.2, 8, 1, 0];
  const heard = times.map((left) => lowAt(left, told));
  assert.deepEqual(heard, [null, null, 60, null, null, 30, null, null, 10, null, null, null]);
  assert.equal(lowAt(25.3, new Set()), 26);
});

test("a thing may be dropped where a move of it leads: along its path, and as its game says", () => {
  const [taking, buying] = [take(2, "clay"), { path: ["hand:0:2", "row:1"] }];
  const swapping = { path: ["character:bookkeeper", "held:0:1", "row:1"] };
  const ways = (move) => waysOf(move, move === buying ? [["row:1", "seat:0"]] : []);
  const targets = (spot) => Object.fromEntries(targetsOf(spot, [taking, buying, swapping], ways));
  assert.deepEqual(targets("hand:0:2"), { "resource:clay": [taking], "row:1": [buying] });
  assert.deepEqual(targets("character:bookkeeper"), { "held:0:1": [swapping], "row:1": [swapping] });
  assert.deepEqual(targets("row:1"), { "seat:0": [buying] });
  assert.deepEqual(targets("resource:clay"), {});
});

test("the point that one looks at closer stays where it is, and the drawing stays in sight", () => {
  const whole = { x: 0, y: 0, width: 600, height: 400 };
  assert.deepEqual(closer(whole, 2, { x: 300, y: 100 }), { x: 150, y: 50, width: 300, height: 200 });
  assert.deepEqual(closer(closer(whole, 2, { x: 7, y: 9 }), 0.5, { x: 7, y: 9 }), whole);
  const part = { x: 100, y: 100, width: 300, height: 200 };
  assert.deepEqual(within(part, whole), part);
  assert.deepEqual(within({ ...part, x: 5000, y: -5000 }, whole), { ...part, x: 450, y: -100 });
});

test("marks are set, wiped out, taken back and kept; a clue leaves what was marked", () => {
  const marks = new Marks("one", ["bank", "hotel"]);
  marks.toggle("bank", 8);
  marks.toggle("bank", 4);
  assert.deepEqual(marks.lots("bank"), [4, 8]);
  marks.toggle("bank", 8);
  assert.deepEqual([marks.stands("bank"), marks.standing], [4, 1]);
  marks.undo();
  const kept = new Marks("one", ["bank", "hotel"]);
  assert.deepEqual(kept.lots("bank"), [4, 8]);
  const left = { bank: [8, 9], hotel: [1] };
  kept.leave(Object.entries(left).map(([building, lots]) => ({ building, lots })));
  assert.deepEqual([kept.stands("bank"), kept.stands("hotel")], [8, 1]);
  storage.setItem("two", "{broken");
  assert.deepEqual(new Marks("two", []).of, {});
});

test("a chance is a mean over the moves around, and the last one stays", () => {
  const smoothed = smooth([0, 1, 0, 1, 0, 1, 1]);
  assert.equal(smoothed[0], 0);
  assert.ok(Math.max(...smoothed.slice(1, 5)) < 0.7);
  assert.equal(smoothed.at(-1), 1);
  assert.deepEqual(smooth([null, 0.5]), [null, 0.5]);
});

test("a loss of win chance is told with its standard error, where that is known", () => {
  const told = [lossWords(0.12345, 0.0042), lossWords(-0.02), lossWords(0.1, 0)];
  assert.deepEqual(told, ["−12.3 ± 0.4 %", "+2.0 %", "−10.0 ± 0.0 %"]);
});
