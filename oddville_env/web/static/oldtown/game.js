/** Old Town as the shell sees it: its table, its moves in words, rules and legend, and its puzzles. */

import { addTexts, t } from "../shell/base/i18n.js";
import { chapters, legend, steps } from "./guide.js";
import { openPuzzle } from "./puzzle/page.js";
import {
  ask,
  carries,
  gain,
  harmless,
  movePicture,
  pictured,
  prompt,
  sentence,
  sentenceOf,
  short,
  spoken,
  spotsOf,
  told,
} from "./sentences.js";
import { Table } from "./table.js";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

addTexts({ en, de, nl });

export const game = {
  name: "oldtown",
  Table,
  ask,
  carries,
  chapters,
  gain,
  harmless,
  legend,
  lesson: true,
  movePicture,
  openPuzzle,
  puzzleLesson: { puzzle: "1" },
  prompt,
  sentence,
  sentenceOf,
  pictured,
  short,
  spoken,
  spotsOf,
  told,
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
