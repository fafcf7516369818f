/** What explains OddVille: the guided first game, the legend, the rules by chapter. */

import { nearSeat } from "../shell/table/seats.js";

const offers = (kind) => (state) => state.legal.some((group) => group.kind === kind);
const phase = (name) => (state) => state.table.phase === name && state.legal.length > 0;
const area = (state) => state.table.seats[nearSeat(state) ?? 0];
const touched = (start) => (_, choice) => choice.spots.some((spot) => spot.startsWith(start));
const firstPath = (kind) => (state) => state.legal.find((group) => group.kind === kind)?.moves[0].path[0];

/** In the order in which they are told, each once: a text's name, when it fits, and the spot that it points at. `soon`: it does
 * not wait until the one before has been read, unless that one `stays`. */
export const steps = [
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
  {
    name: "character",
    when: (state) => area(state).characters.length > 0,
    spot: (state) => area(state).characters[0].spot,
  },
  {
    name: "ability",
    when: (state) => ["flip", "swap", "square"].some((kind) => offers(kind)(state)),
    spot: (state) => ["flip", "swap", "square"].map((kind) => firstPath(kind)(state)).find(Boolean),
  },
  { name: "extra", when: phase("extra"), spot: firstPath("extra") },
  { name: "return", when: offers("return"), spot: firstPath("return") },
  { name: "builder", when: phase("builder"), spot: firstPath("build") },
  {
    name: "near_end",
    when: (state) => state.table.seats.some((seat) => seat.settled >= seat.needed - 2),
    spot: (state) => state.table.seats.find((seat) => seat.settled >= seat.needed - 2).spot,
  },
  { name: "over", when: (state) => state.over },
];

const goods = ["wood", "clay", "stone", "crystal"];
const suits = ["mask", "rooster", "bells", "lily", "diamond"];
const counts = ["adjacent", "shields", "row", "column"];

export const legend = [
  { title: "legend_resources", signs: goods.map((name) => [`resource-${name}`, `resource_${name}`]) },
  { title: "legend_suits", signs: suits.map((name) => [`suit-${name}`, `suit_${name}`]) },
  {
    title: "legend_bonuses",
    signs: ["any", "double", "transform", "coin"].map((name) => [`bonus-${name}`, `bonus_${name}`]),
  },
  { title: "legend_counts", signs: counts.map((name) => [`counted-${name}`, `counts_${name}`]) },
  {
    title: "legend_figures",
    signs: [
      ["pawn-0", "legend_worker"],
      ["houses", "legend_settled"],
      ["star", "points"],
      ["coin", "legend_coin"],
    ],
  },
];

/** A chapter: how many sentences it has, and the drawings that stand beside it. `law`: the law's chapters that it tells. */
export const chapters = [
  { name: "goal", sentences: 3, pictures: ["building-17-0", "star"], law: ["E"] },
  {
    name: "setup",
    sentences: 3,
    pictures: ["pawn-0", "pawn-1", "resource-wood", "resource-clay", "resource-stone", "resource-crystal"],
    law: ["S"],
  },
  { name: "turn", sentences: 3, pictures: ["worker-1", "worker-2", "worker-3", "worker-4"], law: ["T"] },
  { name: "workers", sentences: 4, pictures: ["worker-3", "coin", "resource-stone", "building-20"], law: ["W"] },
  { name: "coins", sentences: 3, pictures: ["coin", "no-coin", "deck"], law: ["P", "L"] },
  { name: "building", sentences: 5, pictures: ["building-0", "building-0-1", "square-_-_-_-_"], law: ["B"] },
  {
    name: "bonuses",
    sentences: 5,
    pictures: ["bonus-wood", "bonus-any", "bonus-double", "bonus-transform", "bonus-coin"],
    law: ["N"],
  },
  {
    name: "guilds",
    sentences: 3,
    pictures: ["suit-mask", "suit-rooster", "suit-bells", "suit-lily", "suit-diamond"],
    law: ["G", "C"],
  },
  { name: "end", sentences: 4, pictures: ["houses", "star"], law: ["E", "V"] },
];
