/** The form of a new game: seats, clock and settings. */

import { button, choice, field, h, option, refill, textField, toggle } from "../base/dom.js";
import { agentWords, playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { prefer, preferences } from "../base/storage.js";

const USUAL_CLOCK = { minutes: 15, increment: 20 };
const MOST_CLOCK = { minutes: 1440, increment: 3600 };
const CLOCKS = ["none", "simple", "fischer"];

const numberField = (change, more) =>
  h("input", { type: "number", oninput: (event) => change(event.target.value), ...more });

class ClockField {
  constructor() {
    this.kind = "none";
    this.chosen = { ...USUAL_CLOCK };
    this.parts = { minutes: this.number("minutes"), increment: this.number("increment") };
    const kinds = CLOCKS.map((kind) => [kind, t(`clock_${kind}`)]);
    const kind = choice(kinds, "none", (one) => this.choose(one), { id: "clock" });
    this.element = h(".clock-field", field(t("clock"), kind), Object.values(this.parts));
    this.choose("none");
  }

  number(name) {
    const change = (value) => (this.chosen[name] = Number(value));
    const limits = { min: 1, max: MOST_CLOCK[name], value: String(USUAL_CLOCK[name]) };
    return field(t(`clock_${name}`), numberField(change, { ...limits, id: name }));
  }

  choose(kind) {
    this.kind = kind;
    this.parts.minutes.hidden = kind === "none";
    this.parts.increment.hidden = kind !== "fischer";
  }

  /** As a new game asks for it; undefined: none. */
  get terms() {
    const within = (name) =>
      Math.min(Math.max(Math.round(this.chosen[name]) || USUAL_CLOCK[name], 1), MOST_CLOCK[name]);
    if (this.kind === "none" || this.element.hidden) return undefined;
    return { total: 60 * within("minutes"), increment: this.kind === "fischer" ? within("increment") : 0 };
  }
}

const USUAL = "greedy"; // opponent where no levels are known
const FIRST_LEVEL = 1; // the second of five: neither too strong nor too weak for a beginner

/** What an agent says of itself, and the options that its spec may set. */
const aboutAgent = ({ about, options }) => [about, ...options.map(({ name, what }) => `${name}: ${what}`)].join("\n");

export class SeatForm {
  constructor(info, about, game, begin) {
    this.info = info;
    this.about = about;
    this.game = game;
    this.begin = begin;
    this.agents = info.agents.filter((agent) => agent.game === about.name);
    this.levels = about.levels ?? [];
    const rival = (this.levels[FIRST_LEVEL] ?? this.levels[0])?.agent ?? USUAL;
    this.seats = ["human", this.agents.some((agent) => agent.spec === rival) ? rival : "human"];
    this.names = [preferences.name];
    this.lines = h(".seat-lines");
    this.clock = new ClockField();
    this.settings = {};
    this.element = h(
      "form.seat-form",
      { novalidate: true, onsubmit: (event) => this.submit(event) }, // a wrong number may be hidden
      this.count(),
      this.lines,
      this.clock.element,
      this.more(),
      button(t("start"), null, { type: "submit", class: "button primary big" }),
    );
    this.show();
  }

  count() {
    const choose = (event) => {
      const number = Number(event.target.value);
      while (this.seats.length < number) this.seats.push(this.seats.at(-1) ?? "human");
      this.seats.length = number;
      this.show();
    };
    const options = this.about.players.map((number) => {
      const marks = { value: String(number), checked: number === this.seats.length, onchange: choose };
      return h("label.pick", h("input", { type: "radio", name: "players", ...marks }), h("span", String(number)));
    });
    return h("fieldset.field", h("legend", t("players")), h(".picks", options));
  }

  show() {
    refill(this.lines, this.seats.map(this.line, this));
    this.clock.element.hidden = this.seats.filter((kind) => kind === "human").length < 2;
  }

  line(kind, seat) {
    const name = this.game.seatName(seat);
    const change = (one) => {
      this.seats[seat] = one;
      this.show();
    };
    const line = (spec) => this.option(spec, kind);
    const group = (label, specs) => h("optgroup", { label }, specs.map(line));
    const levels = this.levels.map(({ agent }) => agent);
    const others = this.agents.map(({ spec }) => spec).filter((spec) => !levels.includes(spec));
    const known = levels.length ? [group(t("levels"), levels)] : [];
    const options = [["human", t("a_person")], ...known, group(t("agents"), others)];
    const oninput = (event) => (this.names[seat] = event.target.value.trim());
    return h(
      ".seat-line",
      { style: { "--seat": this.about.colours?.[seat]?.full ?? "#888" } },
      h("span.seat-dot", { "aria-hidden": "true" }, String(seat)),
      h("span.seat-label", name),
      choice(options, kind, change, { "aria-label": t("who_plays", { name }), id: `seat-${seat}` }),
      kind === "human"
        ? textField(this.names[seat] ?? "", t("name_of", { name }), { placeholder: t("name"), oninput })
        : h("span.quiet.about", agentWords(this.agents.find(({ spec }) => spec === kind) ?? { spec: kind, about: "" })),
    );
  }

  option(spec, chosen) {
    const agent = this.agents.find((one) => one.spec === spec);
    return option([spec, playerName(spec, this.about), { title: agent ? aboutAgent(agent) : spec }], chosen);
  }

  more() {
    const settings = this.about.options
      .filter((one) => typeof one.default === "number")
      .map(({ name, default: usual, help }) => {
        const typed = (value) => (this.settings[name] = Number(value) || usual);
        return field(name.replaceAll("_", " "), numberField(typed, { value: String(usual) }), help);
      });
    const seeded = (value) => (this.seed = value === "" ? undefined : Number(value));
    return h(
      "details",
      h("summary", t("more")),
      toggle(t("allow_help"), false, (ticked) => (this.help = ticked)),
      settings,
      field(t("seed"), numberField(seeded, { min: 0 }), t("seed_words")),
    );
  }

  submit(event) {
    event.preventDefault();
    const wish = {
      game: this.about.name,
      seats: this.seats,
      names: this.seats.map((kind, seat) => (kind === "human" && this.names[seat]) || null),
      settings: this.settings,
      help: Boolean(this.help),
      clock: this.clock.terms,
    };
    const first = this.seats.indexOf("human");
    if (this.names[first]) prefer("name", this.names[first]);
    if (this.seed !== undefined) wish.seed = this.seed;
    this.begin(wish);
  }
}
