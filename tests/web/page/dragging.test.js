/** What may be carried where. */

import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";

const { targetsOf, waysOf } = await import("../../../oddville_env/web/static/shell/table/dragging.js");
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
