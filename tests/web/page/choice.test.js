/** A move in the making, as the page chooses it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Choice } from "../../../oddville_env/web/static/shell/table/choice.js";

const move = (word, path, more = {}) => ({ word, path, ...more });
const TAKES = [
  {
    kind: "take",
    rule: "W3",
    moves: [
      move("take:1:clay", ["hand:0:1", "resource:clay"]),
      move("take:1:wood", ["hand:0:1", "resource:wood"]),
      move("take:2:clay", ["hand:0:2", "resource:clay"]),
    ],
  },
];
const PAIR = [
  {
    kind: "show",
    rule: "Q1",
    moves: [
      move("show:3", ["hand:0:3"], { then: [{ spot: "hand:0:5", word: "show:5" }] }),
      move("show:5", ["hand:0:5"], { then: [{ spot: "hand:0:3", word: "show:3" }] }),
    ],
  },
];

function chosen(groups, ...spots) {
  const choice = new Choice(() => {});
  choice.clear(groups);
  for (const spot of spots) choice.touch(spot);
  return choice;
}

test("nothing is staged before a spot is touched, and the first spots are offered", () => {
  const choice = chosen(TAKES);
  assert.equal(choice.staged, null);
  assert.deepEqual([...choice.offered], ["hand:0:1", "hand:0:2"]);
});

test("spots may be touched in any order", () => {
  assert.equal(chosen(TAKES, "hand:0:2", "resource:clay").staged.word, "take:2:clay");
  assert.equal(chosen(TAKES, "resource:clay", "hand:0:2").staged.word, "take:2:clay");
});

test("a spot that leaves one move stages it at once", () => {
  assert.equal(chosen(TAKES, "resource:wood").staged.word, "take:1:wood");
});

test("a spot that does not go with the last ones replaces them", () => {
  const choice = chosen(TAKES, "resource:wood", "hand:0:2");
  assert.deepEqual(choice.spots, ["hand:0:2"]);
});

test("touching the last spot of a staged move again confirms it, another one goes back", () => {
  const choice = chosen(TAKES, "hand:0:1", "resource:wood");
  assert.equal(choice.touch("resource:wood"), true);
  assert.equal(choice.touch("hand:0:1"), false);
  assert.deepEqual(choice.spots, ["resource:wood"]);
});

test("a spot of no legal move does nothing", () => {
  const choice = chosen(TAKES, "resource:stone");
  assert.deepEqual(choice.spots, []);
});

test("a move that another follows is chosen together with it", () => {
  const { staged } = chosen(PAIR, "hand:0:5", "hand:0:3");
  assert.equal(staged, null);
  const choice = chosen(PAIR, "hand:0:5", "hand:0:3");
  assert.deepEqual(
    new Set(choice.candidates.map(({ word, next }) => `${word} ${next}`)),
    new Set(["show:3 show:5", "show:5 show:3"]),
  );
});

test("what was chosen is taken back touch by touch", () => {
  const choice = chosen(TAKES, "hand:0:1", "resource:wood");
  assert.equal(choice.back(), true);
  assert.deepEqual(choice.spots, ["hand:0:1"]);
  choice.back();
  assert.equal(choice.back(), false);
});

test("what goes together with the touched spots may be touched, and nothing else", () => {
  const choice = chosen(TAKES, "hand:0:2");
  assert.deepEqual(
    ["hand:0:2", "resource:clay", "resource:wood", "hand:0:1"].map((spot) => choice.fits(spot)),
    [true, true, false, false],
  );
  assert.equal(chosen(TAKES).fits("resource:wood"), true);
});
