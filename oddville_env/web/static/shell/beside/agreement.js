/** Two agents over a whole game: how often they choose the same move, and where they differ most. */

import { button, h, refill } from "../base/dom.js";
import { agentName } from "../base/games.js";
import { t } from "../base/i18n.js";

const percent = (part) => `${Math.round(100 * part)} %`;
const loss = (cost) => (cost === null ? "" : ` (${cost < 0 ? "+" : "−"}${percent(Math.abs(cost))})`);

export class Agreement {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.asked = null;
    this.element = h(".agreement", { hidden: true });
  }

  /** @param {string[]} agents */
  ask(agents) {
    this.asked = agents.join();
    this.page.send({ type: "compare", agents });
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
  }

  /** @param {Protocol.Compared} found */
  hear({ agents, decisions, same, final, differing }) {
    if (agents.join() !== this.asked) return;
    const share = { n: same, all: decisions, share: percent(same / Math.max(decisions, 1)) };
    this.element.hidden = false;
    refill(
      this.element,
      h("h3", agents.map(agentName).join(" | ")),
      final ? null : h("p.quiet.thinking", t("thinking")),
      h("p.agreed", t("agreed_in", share)),
      differing.length ? h("h3", t("differ_most")) : null,
      h(
        "ol.turns",
        differing.map((one) => h("li", this.line(one))),
      ),
    );
  }

  /** A decision, and what each choice costs as the other agent sees it. @param {Protocol.Difference} found */
  line({ move, seat, one, other, cost, other_cost }) {
    const { page } = this;
    const go = () => page.send({ type: "go", move: move - 1 });
    const told = (word, lost) => `${page.game.sentenceOf(word)}${loss(lost)}`;
    const parts = [
      h("i", String(move)),
      h("span", `${page.seats.name(seat)}: ${told(one, other_cost)}`, h("small", told(other, cost))),
    ];
    return button(parts, go, { class: "turn-move", "data-key": `differ-${move}` });
  }
}
