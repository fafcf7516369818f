/** Why a hint is a good move, in a sentence: what it brings at once, and what the next best one would leave. */

import { t } from "../base/i18n.js";

const CLEAR = 0.005; // of a chance: what is less is no reason

const percent = (chance) => Math.round(100 * chance);

/** `found` is an analysis, `moves` the legal moves with what each brings. */
export function reason(found, moves, sentenceOf) {
  const { candidates, seat } = found;
  const [best, ...others] = candidates;
  const known = (word) => moves.find((move) => move.word === word);
  const move = known(best.word);
  const gain = move?.scores[seat] ?? 0;
  const next = others.find((one) => known(one.word) && known(one.word).scores[seat] < gain) ?? others[0];
  const own = best.values?.[seat];
  const other = others[0]?.values?.[seat];
  const parts = [];
  if (gain > 0) parts.push(t("why_points", { n: gain }));
  if (move?.coins?.[seat] > 0) parts.push(t("why_coins", { n: move.coins[seat] }));
  if (own !== undefined && other !== undefined && own - other >= CLEAR)
    parts.push(t("why_chance", { a: percent(own), b: percent(other), move: sentenceOf(others[0].word) }));
  else if (next && gain > 0) parts.push(t("why_more", { n: known(next.word)?.scores[seat] ?? 0 }));
  return parts.join(" ") || t(others.length ? "why_best" : "why_only");
}
