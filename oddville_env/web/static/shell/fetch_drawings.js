/** Drawings that no table has brought yet: for the legend and the rules. */

import { request } from "./connection.js";
import { hasDrawing, keepDrawings } from "./drawings.js";

/** Fetch those of the names that are missing. */
export async function needDrawings(game, names) {
  const missing = [...new Set(names)].filter((name) => !hasDrawing(name));
  if (!missing.length) return;
  const found = await request(`api/drawings?game=${encodeURIComponent(game)}&names=${encodeURIComponent(missing.join(","))}`);
  keepDrawings(found.drawings);
}
