/** What agents think: candidates with their shares and values, heat on the table, and the chances over the game. */

import { button, choice, h, refill, toggle } from "../base/dom.js";
import { agentName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { announce } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { Curve } from "./charts.js";

const SHOWN = 6;
const MOVER = "mover"; // the agent that is to move says itself what it thinks
const percent = (chance) => `${Math.round(100 * chance)} %`;
const THINKER = /^search/; // default: it estimates every seat's chances

export class Analysis {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.found = null;
    this.curve = new Curve(page);
    this.controls = h(".analysis-controls");
    this.verdict = h(".verdict");
    this.element = h(".analysis", this.controls, this.curve.element, this.verdict);
  }

  get agents() {
    return this.page.info.agents
      .filter((agent) => agent.game === this.page.hello.game && agent.can_analyse !== false)
      .map((agent) => agent.spec);
  }

  /** The quickest agent that says every seat's chances: it looks at all positions of a game. */
  get quick() {
    return this.agents.find((spec) => THINKER.test(spec)) ?? this.agents[0];
  }

  /** The agent to ask: the chosen one, or the one that is to move if it can analyse. */
  get analyst() {
    if (this.agent !== MOVER) return this.agent;
    const { seats, to_move } = this.page.state;
    const seated = seats[to_move]?.agent;
    return this.agents.includes(seated) ? seated : this.quick;
  }

  greet() {
    this.agent = [...this.agents, MOVER].includes(preferences.agent)
      ? preferences.agent
      : (this.agents.filter((spec) => THINKER.test(spec))[1] ?? this.quick);
    this.showControls();
  }

  showControls() {
    const chosen = (agent) => {
      this.agent = agent;
      prefer("agent", agent);
      if (this.on) this.ask();
    };
    const warm = (ticked) => {
      prefer("heat", ticked);
      this.heat();
    };
    const agents = [...this.agents.map((spec) => [spec, agentName(spec)]), [MOVER, t("whoever_moves")]];
    this.chances = button(t("chances"), () => this.askChances(), { "data-key": "chances" });
    refill(
      this.controls,
      choice(agents, this.agent, chosen, { "aria-label": t("which_agent"), id: "analyst" }),
      button(t(this.on ? "stop" : "analyse"), () => this.toggle(), {
        "data-key": "analyse",
        class: `button${this.on ? "" : " primary"}`,
        "aria-pressed": String(this.on),
      }),
      toggle(t("heat"), preferences.heat, warm),
      this.chances,
    );
  }

  /** Every seat's chances over the whole game. */
  askChances() {
    this.page.send({ type: "chances", agent: this.quick });
  }

  toggle() {
    this.on = !this.on;
    if (this.on) this.ask();
    else this.page.send({ type: "stop_analysis" });
    this.forget();
    this.showControls();
  }

  ask() {
    if (this.page.state.may.analyse)
      this.page.send({ type: "analyse", agent: this.analyst, move: this.page.state.shown });
  }

  forget() {
    this.found = null;
    this.showVerdict();
    this.heat();
  }

  /** Another position: think anew. @param {Protocol.State} state */
  render(state) {
    this.element.classList.toggle("refused", !state.may.analyse || !this.quick);
    this.curve.render(state);
    this.chances.hidden = state.may.chances === false;
    const moved = this.seen !== `${state.shown}/${state.moves}/${state.word}`;
    this.seen = `${state.shown}/${state.moves}/${state.word}`;
    if (!moved) return;
    this.found = null;
    if (this.on && !(state.over && state.newest)) this.ask();
    this.showVerdict();
    this.heat();
  }

  /** @param {Protocol.Analysis | Protocol.Chances} message */
  hear(message) {
    if (message.type === "chances") return this.curve.take(message);
    if (message.purpose === "hint") this.suggest(message);
    if (message.purpose === "hint" || message.move !== this.page.state.shown) return null;
    this.found = message;
    this.showVerdict();
    return this.heat();
  }

  /** Offer the move of a hint, and say why. @param {Protocol.Analysis} found */
  suggest(found) {
    const { page } = this;
    const [best] = found.candidates;
    if (!best || found.move !== page.state.moves) return;
    const why = reason(found, page.choice.moves, (word) => page.game.sentenceOf(word));
    page.choice.stage(best.word, why);
    announce(`${page.game.sentenceOf(best.word)}. ${why}`);
  }

  heat() {
    this.page.table.heat(preferences.heat && this.found ? this.found.heat : null);
  }

  showVerdict() {
    const { found, page } = this;
    if (!page.state?.may.analyse || !this.quick) return refill(this.verdict, h("p.quiet", t("no_analysis")));
    if (!found)
      return refill(this.verdict, this.on ? h("p.quiet.thinking", t("thinking")) : h("p.quiet", t("analysis_intro")));
    const candidates = found.candidates.filter(({ played }, place) => played || place < SHOWN);
    const lines = candidates.map((one) => this.line(one, found));
    const effort = found.iterations
      ? t("effort", { n: found.iterations.toLocaleString(), s: found.seconds.toFixed(1) })
      : "";
    return refill(
      this.verdict,
      h("p.quiet", agentName(found.agent), " · ", t("to_move", { name: page.seats.name(found.seat) }), " ", effort),
      h("ol.candidates", lines),
    );
  }

  line({ word, share, visits, values, played, line = [] }, found) {
    const { page } = this;
    const said = (seat) => `${page.seats.name(seat)} ${percent(values[seat])}`;
    const part = (value, seat) =>
      h("span", { style: { width: `${100 * value}%`, background: page.colour(seat).full }, title: said(seat) });
    const bar =
      values && h("span.values", { role: "img", "aria-label": values.map((_, seat) => said(seat)).join(", ") });
    bar?.append(...values.map(part));
    const title = line.map((next) => page.game.sentenceOf(next)).join(" → ");
    const badge = played ? h("span.badge", t("was_played")) : null;
    const visited = visits ? h("small", t("visits", { n: visits.toLocaleString() })) : null;
    const parts = [
      h("span.candidate-share", { style: { "--share": share } }, percent(share)),
      h("span.candidate-words", page.game.sentenceOf(word), badge, visited),
      h("b", values ? percent(values[found.seat]) : ""),
      bar,
    ];
    const marks = { class: "candidate", "data-key": `candidate-${word}`, title };
    return h(
      "li",
      button(parts, () => page.choice.stage(word), marks),
    );
  }
}

const CLEAR = 0.005; // of a chance: what is less is no reason

/** `found` is an analysis, `moves` the legal moves with what each brings. */
export function reason(found, moves, sentenceOf) {
  const { candidates, seat } = found;
  const [best, ...others] = candidates;
  const known = (word) => moves.find((move) => move.word === word);
  const move = known(best.word);
  const gain = move?.scores[seat] ?? 0;
  const next = others.find((one) => known(one.word) && known(one.word).scores[seat] < gain) ?? others[0];
  const own = best.values?.[seat];
  const other = others[0]?.values?.[seat];
  const parts = [];
  if (gain > 0) parts.push(t("why_points", { n: gain }));
  if (move?.coins?.[seat] > 0) parts.push(t("why_coins", { n: move.coins[seat] }));
  if (own !== undefined && other !== undefined && own - other >= CLEAR)
    parts.push(
      t("why_chance", { a: Math.round(100 * own), b: Math.round(100 * other), move: sentenceOf(others[0].word) }),
    );
  else if (next && gain > 0) parts.push(t("why_more", { n: known(next.word)?.scores[seat] ?? 0 }));
  return parts.join(" ") || t(others.length ? "why_best" : "why_only");
}
