/** OddVille as the shell sees it: its table, its moves in words; the guided first game, the legend, the rules by chapter. */

import { addTexts, t } from "../shell/base/i18n.js";
import { nearSeat } from "../shell/table/seats.js";
import * as sentences from "./sentences.js";
import { Table } from "./table.js";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import nl from "./texts/nl.json" with { type: "json" };

addTexts({ en, de, nl });

const offers = (kind) => (state) => state.legal.some((group) => group.kind === kind);
const phase = (name) => (state) => state.table.phase === name && state.legal.length > 0;
const area = (state) => state.table.seats[nearSeat(state) ?? 0];
const touched = (start) => (_, choice) => choice.spots.some((spot) => spot.startsWith(start));
const nearing = (state) => state.table.seats.find((seat) => seat.settled >= seat.needed - 2);
const firstPath = (kind) => (state) => state.legal.find((group) => group.kind === kind)?.moves[0].path[0];
const ability = (state) => ["flip", "swap", "square"].map((kind) => firstPath(kind)(state)).find(Boolean);

/** In the order in which they are told, each once: a text's name, when it fits, and the spot that it points at. `soon`: it does
 * not wait until the one before has been read, unless that one `stays`. */
const steps = [
  { name: "welcome", stays: true, when: () => true },
  { name: "setup", when: offers("setup"), spot: () => "resource:wood" },
  { name: "hand", when: phase("main"), spot: (state) => area(state).hand[1].spot },
  { name: "lit", soon: true, when: touched("hand:"), spot: () => "deck" },
  { name: "confirm", soon: true, when: (_, choice) => choice.staged, spot: () => "confirm" },
  {
    name: "resource",
    when: (state) =>
      phase("main")(state) && state.position.round >= 1 && area(state).hand.some((card) => !card.in_hand),
    spot: () => "resource:clay",
  },
  { name: "held", when: (state) => area(state).held.length > 0, spot: (state) => area(state).held[0].spot },
  { name: "coins", when: (state) => area(state).coins.number > 0, spot: (state) => area(state).coins.spot },
  { name: "recover", when: offers("recover"), spot: () => "recover" },
  { name: "build", when: offers("build"), spot: firstPath("build") },
  {
    name: "cells",
    soon: true,
    when: (state, choice) => touched("held:")(state, choice) && choice.candidates.some((move) => move.kind === "build"),
    spot: (_, choice) => choice.spots[0],
  },
  { name: "bonus", when: phase("bonus"), spot: firstPath("bonus") },
  { name: "transform", when: offers("move"), spot: firstPath("move") },
  { name: "double", when: offers("double"), spot: firstPath("double") },
  { name: "discard", when: phase("discard"), spot: firstPath("drop") },
  { name: "character", when: (state) => area(state).characters[0], spot: (state) => area(state).characters[0].spot },
  { name: "ability", when: ability, spot: ability },
  { name: "extra", when: phase("extra"), spot: firstPath("extra") },
  { name: "return", when: offers("return"), spot: firstPath("return") },
  { name: "builder", when: phase("builder"), spot: firstPath("build") },
  { name: "near_end", when: nearing, spot: (state) => nearing(state).spot },
  { name: "over", when: (state) => state.over },
];

const goods = ["wood", "clay", "stone", "crystal"];
const suits = ["mask", "rooster", "bells", "lily", "diamond"];
const counts = ["adjacent", "shields", "row", "column"];

const signs = (kind, names, texts = kind) => names.map((name) => [`${kind}-${name}`, `${texts}_${name}`]);
const figures = { "pawn-0": "legend_worker", houses: "legend_settled", star: "points", coin: "legend_coin" };

/** The legend: groups of signs, [drawing, text]. */
const legend = [
  { title: "legend_resources", signs: signs("resource", goods) },
  { title: "legend_suits", signs: signs("suit", suits) },
  { title: "legend_bonuses", signs: signs("bonus", ["any", "double", "transform", "coin"]) },
  { title: "legend_counts", signs: signs("counted", counts, "counts") },
  { title: "legend_figures", signs: Object.entries(figures) },
];

const chapter = (name, sentences, pictures) => ({ name, sentences, pictures: pictures.split(" ") });

/** The chapters: how many sentences each has and the drawings beside it. */
const chapters = [
  chapter("goal", 3, "building-17-0 star"),
  chapter("setup", 3, "pawn-0 pawn-1 resource-wood resource-clay resource-stone resource-crystal"),
  chapter("turn", 3, "worker-1 worker-2 worker-3 worker-4"),
  chapter("workers", 4, "worker-3 coin resource-stone building-20"),
  chapter("coins", 3, "coin no-coin deck"),
  chapter("building", 5, "building-0 building-0-1 square-_-_-_-_"),
  chapter("bonuses", 5, "bonus-wood bonus-any bonus-double bonus-transform bonus-coin"),
  chapter("guilds", 3, "suit-mask suit-rooster suit-bells suit-lily suit-diamond"),
  chapter("end", 4, "houses star"),
];

export const game = {
  name: "oddville",
  Table,
  ...sentences,
  chapters,
  legend,
  lesson: true,
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
