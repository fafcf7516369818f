/** Why tokens go: the steps of the server's proofs as sentences, each of which a person can check. */

import { t } from "../shell/base/i18n.js";
import { capital, listed, nameOf, theName } from "./facts.js";

const left = (parts) =>
  listed(
    parts.map(({ building, lots }) => t("town_left", { name: nameOf(building), lots: listed(lots) })),
    "and",
  );
const owns = (sets) => listed(sets.map((keys) => listed(keys.map(theName), "and")));

const said = {
  clue: (step) => t("why_clue", { card: step.card, left: left(step.left) }),
  relation: (step) =>
    t("why_relation", { card: step.card, own: listed(step.buildings.map(theName)), left: left(step.left) }),
  needs_own: (step) =>
    t("why_needs_own", { card: step.card, own: listed(step.buildings.map(theName)) }) +
    (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
  no_own: (step) => t("why_no_own", { card: step.card }),
  group: (step) =>
    t("why_group", {
      names: listed(step.buildings.map(theName), "and"),
      n: step.buildings.length,
      lots: listed(step.lots, "and"),
      left: left(step.left),
    }),
  crowd: (step) =>
    t("why_crowd", {
      names: listed(step.buildings.map(theName), "and"),
      n: step.lots.length,
      lots: listed(step.lots, "and"),
    }),
  together: (step) => t("why_together", { left: left(step.left) }),
  supposed_own: (step) =>
    t("why_supposed_own", { name: listed(step.buildings.map(theName)) }) +
    (step.others.length ? ` ${t("why_supposed_but", { names: listed(step.others.map(theName)) })}` : ""),
  supposed_lot: (step) => t("why_supposed_lot", { name: listed(step.buildings.map(theName)), lot: listed(step.lots) }),
  solved: (step) => t("why_solved") + (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
};

/** A step as a sentence. */
export const reason = (step) => capital(said[step.kind](step));
