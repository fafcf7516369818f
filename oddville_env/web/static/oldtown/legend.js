/** The legend: every sign with what it means. Groups of [drawing, text]. */

export const legend = [
  {
    title: "town_legend_table",
    signs: [
      ["token-bank", "town_legend_token"],
      ["house-bank", "town_legend_house"],
      ["points", "town_legend_points"],
      ["hat-0", "town_legend_hat"],
      ["back", "town_legend_back"],
    ],
  },
  {
    title: "town_legend_cards",
    signs: [
      ["plan-3", "town_legend_a"],
      ["plan-45", "town_legend_b"],
      ["plan-21", "town_legend_c"],
      ["my", "town_legend_my"],
    ],
  },
];
