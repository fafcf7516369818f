/** OddVille as the shell sees it: its table, its moves in words, its guide, rules and legend. */

import { addTexts, t } from "../shell/base/i18n.js";
import { chapters, legend, steps } from "./guide.js";
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
  name: "oddville",
  Table,
  ask,
  carries,
  chapters,
  gain,
  harmless,
  legend,
  lesson: true,
  movePicture,
  prompt,
  sentence,
  sentenceOf,
  pictured,
  short,
  spoken,
  spotsOf,
  told,
  steps,
  shapes: legend
    .flatMap((group) => group.signs.map(([drawing]) => drawing))
    .concat(["bonus-wood", "bonus-clay", "bonus-stone", "bonus-crystal"]),
  brand: "houses",
  keys: [["+ − 0", "key_zoom"]],
  seatName: (seat) => t(`seat_${seat}`),
  seatSign: (seat) => `pawn-${seat}`,
  hero: { words: "hero", pictures: ["building-12", "building-0", "building-52", "building-31", "building-38"] },
  guided: { seats: ["human", "greedy"], seed: 7 },
};
