/** Why tokens go: the steps of the server's proofs as sentences, each of which a person can check. */

import { t } from "../shell/base/i18n.js";
import { capital, listed, theName, theNames } from "./facts.js";

const left = (parts) =>
  listed(
    parts.map(({ building, lots }) => t("town_left", { name: theName(building, "acc"), lots: listed(lots) })),
    "and",
  );
const owns = (sets) => listed(sets.map((keys) => theNames(keys, "and")));

const said = {
  clue: (step) => t("why_clue", { card: step.card, left: left(step.left) }),
  relation: (step) =>
    t("why_relation", { card: step.card, own: theNames(step.buildings, "or", "dat"), left: left(step.left) }),
  needs_own: (step) =>
    t("why_needs_own", { card: step.card, own: theNames(step.buildings, "or", "acc") }) +
    (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
  no_own: (step) => t("why_no_own", { card: step.card }),
  group: (step) =>
    t("why_group", {
      names: theNames(step.buildings, "and"),
      n: step.buildings.length,
      lots: listed(step.lots, "and"),
      left: left(step.left),
    }),
  crowd: (step) =>
    t("why_crowd", {
      names: theNames(step.buildings, "and"),
      n: step.lots.length,
      lots: listed(step.lots, "and"),
    }),
  together: (step) => t("why_together", { left: left(step.left) }),
  supposed_own: (step) =>
    t("why_supposed_own", { name: theNames(step.buildings) }) +
    (step.others.length ? ` ${t("why_supposed_but", { names: theNames(step.others) })}` : ""),
  supposed_lot: (step) => t("why_supposed_lot", { name: theNames(step.buildings), lot: listed(step.lots) }),
  solved: (step) => t("why_solved") + (step.owns.length ? ` ${t("why_so_owns", { owns: owns(step.owns) })}` : ""),
};

/** A step as a sentence. */
export const reason = (step) => capital(said[step.kind](step));
