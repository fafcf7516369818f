/** The legend: every sign with what it means. Groups of [drawing, text]. */

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
