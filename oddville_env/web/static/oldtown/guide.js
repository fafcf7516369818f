/** The guided first game of Old Town: each kind of move is explained when it first comes up. */

const offers = (kind) => (state) => state.legal.some((group) => group.kind === kind);
const firstPath = (kind) => (state) => state.legal.find((group) => group.kind === kind)?.moves[0].path[0];
const house = (state) => state.table.lots.find((lot) => lot.house);

/** In the order in which they are told, each once; the fields are those of OddVille's guide. */
export const steps = [
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
