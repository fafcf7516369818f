/** Two agents over a whole game: how often they choose the same move, and where they differ most. */

import { h, Part, refill } from "../base/dom.js";
import { agentName } from "../base/games.js";
import { lossWords, percent, t } from "../base/i18n.js";
import { turnButton } from "./mistakes.js";

export class Agreement extends Part {
  asked = null;
  element = h(".agreement", { hidden: true });

  /** @param {string[]} agents */
  ask(agents) {
    this.asked = agents.join();
    this.page.send({ type: "compare", agents });
    this.element.hidden = false; // a slow agent's first part takes some seconds
    refill(this.element, h("p.quiet.thinking", t("thinking")));
  }

  /** Nothing is known of other agents, or when the game has got another move. */
  forget() {
    this.asked = null;
    this.element.hidden = true;
  }

  /** @param {Protocol.State} state */
  render({ moves }) {
    if (moves !== this.moves) this.forget();
    this.moves = moves;
    this.element.querySelector(".thinking")?.remove(); // another question ends this one; the next part says it again
  }

  /** @param {Protocol.Compared} found */
  hear({ agents, decisions, same, final, differing }) {
    if (agents.join() !== this.asked) return;
    const share = { n: same, all: decisions, share: percent(same / Math.max(decisions, 1)) };
    refill(
      this.element,
      h("h3", agents.map(agentName).join(" | ")),
      final ? null : h("p.quiet.thinking", t("thinking")),
      h("p.agreed", t("agreed_in", share)),
      differing.length ? h("h3", t("differ_most")) : null,
      h("ol.turns", differing.map(this.line, this)),
    );
  }

  /** A decision, and what each choice costs as the other agent sees it. @param {Protocol.Difference} found */
  line({ move, seat, one, other, cost, other_cost }) {
    const told = (word, lost) => this.page.game.sentenceOf(word) + (lost === null ? "" : ` (${lossWords(lost)})`);
    const note = h("small", told(other, cost));
    return h("li", turnButton(this.page, "differ", move, seat, told(one, other_cost), note));
  }
}
