/** What charts draw: chances as a mean over the moves around. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { Curve, smooth } = await import("../../../oddville_env/web/static/shell/beside/charts.js");

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
