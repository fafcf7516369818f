/** Which part of a drawing is seen. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { closer, within } = await import("../../../oddville_env/web/static/shell/table/zoom_view.js");
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
