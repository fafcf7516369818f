/** Clocks, drags, zoom, pencil marks and charts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const page = "../../../oddville_env/web/static";
const { clockWords, lowAt, termsWords } = await import(`${page}/shell/table/clocks.js`);
const { addTexts } = await import(`${page}/shell/base/i18n.js`);
const { targetsOf, waysOf } = await import(`${page}/shell/table/dragging.js`);
const { closer, within } = await import(`${page}/shell/table/zoom_view.js`);
const { Marks } = await import(`${page}/oldtown/puzzle/board.js`);
const { Curve, smooth } = await import(`${page}/shell/beside/charts.js`);
addTexts({ en: { clock_each: "{n} {n|minute|minutes} each", clock_more: "{n} {n|second|seconds} more a turn" } });

test("a time is shown in minutes and seconds, a short one in tenths", () => {
  assert.deepEqual([754.2, 600, 3671, 59.1, 9.99, 8.14, 0].map(clockWords), [
    "12:35",
    "10:00",
    "1:01:11",
    "1:00",
    "0:09.9",
    "0:08.1",
    "0:00.0",
  ]);
});

test("what was agreed on is a sentence", () => {
  assert.equal(termsWords({ total: 60, increment: 0 }), "1 minute each");
  assert.equal(termsWords({ total: 90, increment: 1 }), "1.5 minutes each, 1 second more a turn");
});

test("little time is told at each limit once, and not every second", () => {
  const told = new Set();
  const times = [75, 61, 60, 59.5, 45, 30, 29.8, 12, 9.2, 8, 1, 0];
  assert.deepEqual(
    times.map((left) => lowAt(left, told)),
    [null, null, 60, null, null, 30, null, null, 10, null, null, null],
  );
  assert.equal(lowAt(25.3, new Set()), 26);
});

const TAKE = { word: "take:2:clay", path: ["hand:0:2", "resource:clay"] };
const BUY = { word: "buy:2:1", path: ["hand:0:2", "row:1"] };
const SWAP = { word: "swap:1:1", path: ["character:bookkeeper", "held:0:1", "row:1"] };
const ways = (move) => waysOf(move, move === BUY ? [["row:1", "seat:0"]] : []);

test("a move carries from each spot of its path to each later one, and as its game says", () => {
  assert.deepEqual(waysOf(SWAP), [
    ["character:bookkeeper", "held:0:1"],
    ["character:bookkeeper", "row:1"],
    ["held:0:1", "row:1"],
  ]);
  assert.deepEqual(ways(BUY).at(-1), ["row:1", "seat:0"]);
  assert.deepEqual(waysOf({ path: ["done"] }), []);
});

test("a thing may be dropped where a move of it leads", () => {
  const moves = [TAKE, BUY, SWAP];
  assert.deepEqual(
    [...targetsOf("hand:0:2", moves, ways)],
    [
      ["resource:clay", [TAKE]],
      ["row:1", [BUY]],
    ],
  );
  assert.deepEqual([...targetsOf("row:1", moves, ways)], [["seat:0", [BUY]]]);
  assert.equal(targetsOf("resource:clay", moves, ways).size, 0);
});

const WHOLE = { x: 0, y: 0, width: 600, height: 400 };

test("the point that one looks at closer stays where it is", () => {
  assert.deepEqual(closer(WHOLE, 2, { x: 300, y: 100 }), { x: 150, y: 50, width: 300, height: 200 });
  assert.deepEqual(closer(closer(WHOLE, 2, { x: 7, y: 9 }), 0.5, { x: 7, y: 9 }), WHOLE);
});

test("the drawing stays in sight", () => {
  const part = { x: 100, y: 100, width: 300, height: 200 };
  assert.deepEqual(within(part, WHOLE), part);
  assert.deepEqual(within({ ...part, x: 5000, y: -5000 }, WHOLE), { ...part, x: 450, y: -100 });
});

test("marks are set, wiped out, taken back and kept", () => {
  const marks = new Marks("one", ["bank", "hotel"]);
  marks.toggle("bank", 8);
  marks.toggle("bank", 4);
  assert.deepEqual(marks.lots("bank"), [4, 8]);
  marks.toggle("bank", 8);
  assert.equal(marks.stands("bank"), 4);
  assert.equal(marks.standing, 1);
  marks.undo();
  assert.deepEqual(new Marks("one", ["bank", "hotel"]).lots("bank"), [4, 8]);
});

test("a clue leaves what was marked, and marks what was not", () => {
  const marks = new Marks("two", ["bank", "hotel"]);
  marks.toggle("bank", 8);
  marks.leave([
    { building: "bank", lots: [8, 9] },
    { building: "hotel", lots: [1] },
  ]);
  assert.deepEqual(marks.lots("bank"), [8]);
  assert.equal(marks.stands("hotel"), 1);
});

test("what is no mark in the browser's memory is forgotten", () => {
  localStorage.setItem("three", "{broken");
  assert.deepEqual(new Marks("three", []).of, {});
});

test("a chance is a mean over the moves around, and the last one stays", () => {
  const smoothed = smooth([0, 1, 0, 1, 0, 1, 1]);
  assert.equal(smoothed[0], 0);
  assert.ok(Math.max(...smoothed.slice(1, 5)) < 0.7);
  assert.equal(smoothed.at(-1), 1);
  assert.deepEqual(smooth([null, 0.5]), [null, 0.5]);
});

test("a draw is not listed among the moves that turned the game", () => {
  const page = { game: { harmless: ({ kind }) => kind === "draw" }, state: null };
  const curve = Object.assign(Object.create(Curve.prototype), { page, values: [], render() {} });
  curve.take({ from: 0, values: [], turns: [{ word: "draw:own" }, { word: "play:3" }], final: true });
  assert.deepEqual(curve.turns, [{ word: "play:3" }]);
});
