/** The form of a new game: seats, clock and settings. */

import { button, h, refill } from "../base/dom.js";
import { agentWords, playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { prefer, preferences } from "../base/storage.js";

const USUAL_CLOCK = { minutes: 15, increment: 20 };
const MOST_CLOCK = { minutes: 1440, increment: 3600 };
const CLOCKS = ["none", "simple", "fischer"];

export class ClockField {
  constructor() {
    this.kind = "none";
    this.chosen = { ...USUAL_CLOCK };
    this.parts = {
      minutes: this.number("minutes", 1),
      increment: this.number("increment", 1),
    };
    const choose = (event) => this.choose(event.target.value);
    this.element = h(
      ".clock-field",
      h(
        "label.field",
        h("span", t("clock")),
        h(
          "select",
          { id: "clock", onchange: choose },
          CLOCKS.map((kind) => h("option", { value: kind }, t(`clock_${kind}`))),
        ),
      ),
      Object.values(this.parts),
    );
    this.choose("none");
  }

  number(name, min) {
    const typed = (event) => (this.chosen[name] = Number(event.target.value));
    return h(
      "label.field",
      h("span", t(`clock_${name}`)),
      h("input", {
        type: "number",
        min,
        max: MOST_CLOCK[name],
        value: String(USUAL_CLOCK[name]),
        oninput: typed,
        id: name,
      }),
    );
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

const USUAL = "greedy"; // who plays against a person where no levels are known
const FIRST_LEVEL = 1; // the second of five: who begins shall not be beaten at once, nor bored

/** What an agent says of itself, and the options that its spec may set. */
function aboutAgent({ about, options }) {
  return [about, ...options.map(({ name, what }) => `${name}: ${what}`)].join("\n");
}

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
    const options = this.about.players.map((number) =>
      h(
        "label.pick",
        h("input", {
          type: "radio",
          name: "players",
          value: String(number),
          checked: number === this.seats.length,
          onchange: choose,
        }),
        h("span", String(number)),
      ),
    );
    return h("fieldset.field", h("legend", t("players")), h(".picks", options));
  }

  show() {
    refill(
      this.lines,
      this.seats.map((kind, seat) => this.line(kind, seat)),
    );
    this.clock.element.hidden = this.seats.filter((kind) => kind === "human").length < 2;
  }

  line(kind, seat) {
    const colour = this.about.colours?.[seat];
    const name = this.game.seatName(seat, this.about.seat_names?.[seat] ?? `${seat + 1}`);
    const change = (event) => {
      this.seats[seat] = event.target.value;
      this.show();
    };
    const options = [
      h("option", { value: "human", selected: kind === "human" }, t("a_person")),
      this.levels.length
        ? h(
            "optgroup",
            { label: t("levels") },
            this.levels.map(({ agent }) => this.option(agent, kind)),
          )
        : null,
      h(
        "optgroup",
        { label: t("agents") },
        this.agents.filter(({ spec }) => !this.isLevel(spec)).map(({ spec }) => this.option(spec, kind)),
      ),
    ];
    const typed = (event) => (this.names[seat] = event.target.value.trim());
    return h(
      ".seat-line",
      { style: { "--seat": colour?.full ?? "#888" } },
      h("span.seat-dot", { "aria-hidden": "true" }, String(seat)),
      h("span.seat-label", name),
      h("select", { onchange: change, "aria-label": t("who_plays", { name }), id: `seat-${seat}` }, options),
      kind === "human"
        ? h("input", {
            type: "text",
            maxlength: 20,
            placeholder: t("name"),
            value: this.names[seat] ?? "",
            "aria-label": t("name_of", { name }),
            oninput: typed,
            autocomplete: "off",
          })
        : h("span.quiet.about", this.words(kind)),
    );
  }

  isLevel(spec) {
    return this.levels.some(({ agent }) => agent === spec);
  }

  option(spec, chosen) {
    const agent = this.agents.find((one) => one.spec === spec);
    const title = agent ? aboutAgent(agent) : spec;
    return h("option", { value: spec, selected: spec === chosen, title }, playerName(spec, this.about));
  }

  /** What plays, and of a level which agent that is. */
  words(spec) {
    const words = agentWords(this.agents.find((agent) => agent.spec === spec) ?? { spec, about: "" });
    return this.isLevel(spec) ? [words, " ", h("code", spec)] : words;
  }

  more() {
    const plain = this.about.options.filter((option) => typeof option.default === "number");
    const field = ({ name, default: usual, help }) => {
      const typed = (event) => (this.settings[name] = Number(event.target.value) || usual);
      return h(
        "label.field",
        h("span", name.replaceAll("_", " ")),
        h("input", { type: "number", value: String(usual), oninput: typed }),
        h("small", help),
      );
    };
    const helped = (event) => (this.help = event.target.checked);
    const seeded = (event) => (this.seed = event.target.value === "" ? undefined : Number(event.target.value));
    return h(
      "details",
      h("summary", t("more")),
      h("label.toggle", h("input", { type: "checkbox", onchange: helped }), h("span", t("allow_help"))),
      plain.map(field),
      h(
        "label.field",
        h("span", t("seed")),
        h("input", { type: "number", min: 0, oninput: seeded }),
        h("small", t("seed_words")),
      ),
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
