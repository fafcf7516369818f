/** The rules by chapter with pictures, in a few sentences each; the exact law stands behind them. */

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
