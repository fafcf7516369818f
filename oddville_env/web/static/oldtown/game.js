/** Old Town as the shell sees it: its table, its moves in words, rules and legend, and its puzzles. */

import { addTexts, t } from "../shell/base/i18n.js";
import { steps } from "./guide.js";
import { legend } from "./legend.js";
import { openPuzzle } from "./puzzle/page.js";
import { chapters } from "./rulebook.js";
import { ask, gain, harmless, movePicture, prompt, sentence, sentenceOf, short, spoken } from "./sentences.js";
import { Table } from "./table.js";
import { texts } from "./texts.js";
import { deckTexts } from "./texts_deck.js";
import { guideTexts } from "./texts_guide.js";
import { puzzleTexts } from "./texts_puzzle.js";
import { ruleTexts } from "./texts_rules.js";

for (const more of [texts, deckTexts, guideTexts, puzzleTexts, ruleTexts]) addTexts(more);

export const game = {
  name: "oldtown",
  Table,
  ask,
  chapters,
  gain,
  harmless,
  legend,
  movePicture,
  openPuzzle,
  prompt,
  sentence,
  sentenceOf,
  short,
  spoken,
  steps,
  shapes: ["house-saloon", "hat-0", "hat-1", "hat-2", "hat-3", "points", "back", "my"],
  brand: "house-saloon",
  seatName: (seat) => t(`seat_${seat}`),
  seatSign: (seat) => `hat-${seat}`,
  hero: { words: "town_hero", pictures: ["house-saloon", "house-church", "house-sheriff", "house-bank", "house-stable"] },
  guided: { seats: ["human", "greedy"], seed: 5 },
};
