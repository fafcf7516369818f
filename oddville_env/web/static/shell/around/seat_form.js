/** The form of a new game: who sits where, and the game's settings. */

import { button, h, refill } from "../base/dom.js";
import { agentWords, playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { prefer, preferences } from "../base/preferences.js";
import { ClockField } from "./clock_field.js";

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
    this.lines = h("div", { class: "seat-lines" });
    this.clock = new ClockField();
    this.settings = {};
    this.element = h(
      "form",
      { class: "seat-form", novalidate: true, onsubmit: (event) => this.submit(event) }, // a wrong number may be hidden
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
        "label",
        { class: "pick" },
        h("input", {
          type: "radio",
          name: "players",
          value: String(number),
          checked: number === this.seats.length,
          onchange: choose,
        }),
        h("span", {}, String(number)),
      ),
    );
    return h("fieldset", { class: "field" }, h("legend", {}, t("players")), h("div", { class: "picks" }, options));
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
      "div",
      { class: "seat-line", style: { "--seat": colour?.full ?? "#888" } },
      h("span", { class: "seat-dot", "aria-hidden": "true" }, String(seat)),
      h("span", { class: "seat-label" }, name),
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
        : h("span", { class: "quiet about" }, this.words(kind)),
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
    return this.isLevel(spec) ? [words, " ", h("code", {}, spec)] : words;
  }

  more() {
    const plain = this.about.options.filter((option) => typeof option.default === "number");
    const field = ({ name, default: usual, help }) => {
      const typed = (event) => (this.settings[name] = Number(event.target.value) || usual);
      return h(
        "label",
        { class: "field" },
        h("span", {}, name.replaceAll("_", " ")),
        h("input", { type: "number", value: String(usual), oninput: typed }),
        h("small", {}, help),
      );
    };
    const helped = (event) => (this.help = event.target.checked);
    const seeded = (event) => (this.seed = event.target.value === "" ? undefined : Number(event.target.value));
    return h(
      "details",
      {},
      h("summary", {}, t("more")),
      h(
        "label",
        { class: "toggle" },
        h("input", { type: "checkbox", onchange: helped }),
        h("span", {}, t("allow_help")),
      ),
      plain.map(field),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("seed")),
        h("input", { type: "number", min: 0, oninput: seeded }),
        h("small", {}, t("seed_words")),
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
