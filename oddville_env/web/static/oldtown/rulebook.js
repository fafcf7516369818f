/** The rules by chapter with pictures, in a few sentences each; the exact law stands behind them. */

/** A chapter: how many sentences it has, and the drawings that stand beside it. `law`: the law's chapters that it tells. */
export const chapters = [
  { name: "town_goal", sentences: 3, pictures: ["house-saloon", "house-bank", "points"], law: ["E"] },
  { name: "town_tokens", sentences: 3, pictures: ["token-bank", "token-saloon", "house-bank"], law: ["W"] },
  { name: "town_turn", sentences: 3, pictures: ["token-hotel", "back"], law: ["S", "T", "B"] },
  { name: "town_cards", sentences: 4, pictures: ["plan-3", "plan-45", "plan-21", "my"], law: ["C"] },
  { name: "town_play", sentences: 4, pictures: ["plan-3", "points"], law: ["P"] },
  { name: "town_pair", sentences: 3, pictures: ["back", "back", "token-saloon"], law: ["Q", "D"] },
];
