/** Old Town as the shell sees it: its table, its moves in words, its puzzles; the guided first game, the legend, the rules by chapter. */

import { addTexts, t } from "../shell/base/i18n.js";
import { openPuzzle } from "./puzzle/page.js";
import * as sentences from "./sentences.js";
import { Table } from "./table.js";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

addTexts({ en, de, nl });

const offers = (kind) => (state) => state.legal.some((group) => group.kind === kind);
const firstPath = (kind) => (state) => state.legal.find((group) => group.kind === kind)?.moves[0].path[0];
const house = (state) => state.table.lots.find((lot) => lot.house);

/** In the order in which they are told, each once; the fields are those of OddVille's guide. */
const steps = [
  { name: "town_welcome", stays: true, when: () => true },
  { name: "town_take", when: offers("take"), spot: firstPath("take") },
  { name: "town_play", when: offers("play"), spot: firstPath("play") },
  { name: "town_why", soon: true, when: (_, choice) => choice.staged?.why, spot: () => "confirm" },
  { name: "town_show", when: offers("show"), spot: firstPath("show") },
  { name: "town_remove", when: offers("remove"), spot: firstPath("remove") },
  { name: "town_draw", when: offers("draw"), spot: firstPath("draw") },
  { name: "town_stands", when: (state) => house(state), spot: (state) => house(state).spot },
  { name: "town_over", when: (state) => state.over },
];

const signs = (texts) => Object.entries(texts).map(([drawing, name]) => [drawing, `town_legend_${name}`]);
const onTable = { "token-bank": "token", "house-bank": "house", points: "points", "hat-0": "hat", back: "back" };

const legend = [
  { title: "town_legend_table", signs: signs(onTable) },
  { title: "town_legend_cards", signs: signs({ "plan-3": "a", "plan-45": "b", "plan-21": "c", my: "my" }) },
];

/** A chapter: how many sentences it has, and the drawings that stand beside it. */
const chapters = [
  { name: "town_goal", sentences: 3, pictures: ["house-saloon", "house-bank", "points"] },
  { name: "town_tokens", sentences: 3, pictures: ["token-bank", "token-saloon", "house-bank"] },
  { name: "town_turn", sentences: 3, pictures: ["token-hotel", "back"] },
  { name: "town_cards", sentences: 4, pictures: ["plan-3", "plan-45", "plan-21", "my"] },
  { name: "town_play", sentences: 4, pictures: ["plan-3", "points"] },
  { name: "town_pair", sentences: 3, pictures: ["back", "back", "token-saloon"] },
];

export const game = {
  name: "oldtown",
  Table,
  ...sentences,
  chapters,
  legend,
  lesson: true,
  openPuzzle,
  puzzleLesson: { puzzle: "1" },
  steps,
  shapes: ["house-saloon", "hat-0", "hat-1", "hat-2", "hat-3", "points", "back", "my"],
  brand: "house-saloon",
  keys: [["+ − 0", "key_zoom"]],
  seatName: (seat) => t(`seat_${seat}`),
  seatSign: (seat) => `hat-${seat}`,
  hero: {
    words: "town_hero",
    pictures: ["house-saloon", "house-church", "house-sheriff", "house-bank", "house-stable"],
  },
  guided: { seats: ["human", "greedy"], seed: 5 },
};
