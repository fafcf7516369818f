/** Clocks: what is shown of a time, and when it is told that little is left. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const page = "../../../oddville_env/web/static";
const { clockWords, lowAt, termsWords } = await import(`${page}/shell/table/clocks.js`);
const { addTexts } = await import(`${page}/shell/base/i18n.js`);
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
