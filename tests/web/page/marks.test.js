/** Pencil marks of a puzzle. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { Marks } = await import("../../../oddville_env/web/static/oldtown/puzzle/marks.js");

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
