/** What agents think: candidates with their shares and values, heat on the table, and the chances over the game. */

import { button, choice, h, Part, refill, toggle } from "../base/dom.js";
import { agentName } from "../base/games.js";
import { percent, t } from "../base/i18n.js";
import { announce } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { Agreement } from "./agreement.js";
import { Curve } from "./charts.js";
import { Tree } from "./tree.js";

const SHOWN = 6;
const MOVER = "mover"; // the agent that is to move says itself what it thinks
const THINKER = /^search/; // default: it estimates every seat's chances

export class Analysis extends Part {
  on = Boolean(this.page.where.analyse);
  found = null;
  other = null; // what a second agent thinks
  curve = new Curve(this.page);
  agreement = new Agreement(this.page);
  controls = h(".analysis-controls");
  verdict = h(".verdict");
  tree = new Tree(this.page);
  element = h(".analysis", this.controls, this.curve.element, this.agreement.element, this.verdict, this.tree.element);

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
    this.second = this.agents.find((spec) => spec === preferences.second) ?? "";
    this.showControls();
  }

  showControls() {
    const chosen = (place) => (agent) => {
      this[place] = agent;
      prefer(place, agent);
      this.found = this.other = null;
      this.agreement.forget();
      this.showPossible();
      if (this.on) this.ask();
      else this.showVerdict();
    };
    const warm = (ticked) => {
      prefer("heat", ticked);
      this.heat();
    };
    const named = this.agents.map((spec) => [spec, agentName(spec)]);
    const agents = [...named, [MOVER, t("whoever_moves")]];
    const seconds = [["", t("compare_none")], ...named];
    this.chances = button(t("chances"), () => this.askChances(), { "data-key": "chances" });
    const compare = () => this.agreement.ask([this.analyst, this.second]);
    this.overGame = button(t("compare_game"), compare, { "data-key": "compare" });
    refill(
      this.controls,
      choice(agents, this.agent, chosen("agent"), { "aria-label": t("which_agent"), id: "analyst" }),
      button(t(this.on ? "stop" : "analyse"), () => this.toggle(), {
        "data-key": "analyse",
        class: `button${this.on ? "" : " primary"}`,
        "aria-pressed": String(this.on),
      }),
      choice(seconds, this.second, chosen("second"), { "aria-label": t("compare_with"), id: "second" }),
      toggle(t("heat"), preferences.heat, warm),
      this.chances,
      this.overGame,
    );
    this.showPossible();
  }

  /** What can be asked about the whole game. */
  showPossible() {
    this.chances.hidden = this.page.state?.may.chances === false;
    this.overGame.hidden = this.chances.hidden || !this.second;
  }

  /** Every seat's chances over the whole game. */
  askChances() {
    this.page.panels.open("analysis");
    this.page.send({ type: "chances", agent: this.quick });
  }

  toggle() {
    this.on = !this.on;
    if (this.on) this.ask();
    else this.page.send({ type: "stop_analysis" });
    this.forget();
    this.showControls();
  }

  ask(agent = this.analyst) {
    if (this.page.state.may.analyse) this.page.send({ type: "analyse", agent, move: this.page.state.shown });
  }

  forget() {
    this.found = this.other = null;
    this.showVerdict();
    this.heat();
  }

  /** Another position: think anew. @param {Protocol.State} state */
  render(state) {
    this.element.classList.toggle("refused", !state.may.analyse || !this.quick);
    this.curve.render(state);
    this.agreement.render(state);
    this.showPossible();
    const seen = `${state.shown}/${state.moves}/${state.word}`;
    if (this.seen === seen) return;
    this.seen = seen;
    if (this.on && !(state.over && state.newest)) this.ask();
    this.forget();
  }

  /** @param {Protocol.Analysis | Protocol.Chances} message */
  hear(message) {
    if (message.type === "chances") {
      this.curve.take(message);
      return this.page.panels.list.show();
    }
    if (message.purpose === "hint") this.suggest(message);
    if (message.purpose === "hint" || message.move !== this.page.state.shown) return null;
    const { second, found } = this;
    if (found?.final && message.agent === second && second !== found.agent) this.other = message;
    else this.found = message;
    if (message === this.found && message.final && second && second !== message.agent) this.ask(second);
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
    this.tree.render(found);
    if (!page.state?.may.analyse || !this.quick) return refill(this.verdict, h("p.quiet", t("no_analysis")));
    if (!found)
      return refill(this.verdict, this.on ? h("p.quiet.thinking", t("thinking")) : h("p.quiet", t("analysis_intro")));
    const sides = this.other ? [found, this.other] : [found];
    const shown = sides.flatMap(({ candidates }) => candidates.filter(({ played }, place) => played || place < SHOWN));
    const lines = [...new Set(shown.map(({ word }) => word))].map((word) => this.line(word, sides));
    const bests = sides.map(({ candidates }) => candidates[0].word);
    const effort = found.iterations
      ? t("effort", { n: found.iterations.toLocaleString(), s: found.seconds.toFixed(1) })
      : "";
    const names = sides.map(({ agent }) => agentName(agent)).join(" | ");
    return refill(
      this.verdict,
      h("p.quiet", names, " · ", t("to_move", { name: page.seats.name(found.seat) }), " ", effort),
      this.other && h("p.agreed", t(bests[0] === bests[1] ? "same_move" : "other_move")),
      h("ol.candidates", lines),
      this.other && page.state.may.play_on && h(".buttons", sides.map(this.against, this)),
      found.iterations > 0 && !found.tree.length && h("p.quiet", t("no_tree")),
    );
  }

  /** A button that plays on from here, as the seat to move. */
  against({ agent }) {
    const play = () => this.page.playOn(this.page.state.shown, this.found.seat, undefined, agent);
    return button(t("play_against", { agent: agentName(agent) }), play, { "data-key": `against-${agent}` });
  }

  /** A move, with what each side thinks of it. */
  line(word, sides) {
    const { page } = this;
    const known = sides.map(({ candidates }) => candidates.find((one) => one.word === word));
    const { values, visits, line = [] } = known[0] ?? known[1];
    const said = (other) => `${page.seats.name(other)} ${percent(values[other])}`;
    const part = (value, other) =>
      h("span", { style: { width: `${100 * value}%`, background: page.colour(other).full }, title: said(other) });
    const bar =
      values && h("span.values", { role: "img", "aria-label": values.map((_, other) => said(other)).join(", ") });
    bar?.append(...values.map(part));
    const title = line.map((next) => page.game.sentenceOf(next)).join(" → ");
    const badge = known.some((one) => one?.played) ? h("span.badge", t("was_played")) : null;
    const visited = visits ? h("small", t("visits", { n: visits.toLocaleString() })) : null;
    const share = (one, side) => {
      const about = { title: agentName(sides[side].agent), style: { "--share": one?.share ?? 0 } };
      return h("span.candidate-share", about, one ? percent(one.share) : "–");
    };
    const parts = [
      known.map(share),
      h("span.candidate-words", page.game.sentenceOf(word), badge, visited),
      h("b", known.map((one) => (one?.values ? percent(one.values[this.found.seat]) : "")).join(" | ")),
      bar,
    ];
    const marks = { class: `candidate${this.other ? " two" : ""}`, "data-key": `candidate-${word}`, title };
    const stage = () => page.choice.stage(word);
    return h("li", button(parts, stage, marks));
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
  const [a, b] = [own, other].map((chance) => Math.round(100 * chance));
  if (own - other >= CLEAR) parts.push(t("why_chance", { a, b, move: sentenceOf(others[0].word) }));
  else if (next && gain > 0) parts.push(t("why_more", { n: known(next.word)?.scores[seat] ?? 0 }));
  return parts.join(" ") || t(others.length ? "why_best" : "why_only");
}
