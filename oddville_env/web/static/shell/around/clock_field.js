/** The choice of a clock for a game among people. */

import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";

const USUAL = { minutes: 15, increment: 20 };
const MOST = { minutes: 1440, increment: 3600 };
const KINDS = ["none", "simple", "fischer"];

export class ClockField {
  constructor() {
    this.kind = "none";
    this.chosen = { ...USUAL };
    this.parts = {
      minutes: this.number("minutes", 1),
      increment: this.number("increment", 1),
    };
    const choose = (event) => this.choose(event.target.value);
    this.element = h(
      "div",
      { class: "clock-field" },
      h(
        "label",
        { class: "field" },
        h("span", {}, t("clock")),
        h(
          "select",
          { id: "clock", onchange: choose },
          KINDS.map((kind) => h("option", { value: kind }, t(`clock_${kind}`))),
        ),
      ),
      Object.values(this.parts),
    );
    this.choose("none");
  }

  number(name, min) {
    const typed = (event) => (this.chosen[name] = Number(event.target.value));
    return h(
      "label",
      { class: "field" },
      h("span", {}, t(`clock_${name}`)),
      h("input", { type: "number", min, max: MOST[name], value: String(USUAL[name]), oninput: typed, id: name }),
    );
  }

  choose(kind) {
    this.kind = kind;
    this.parts.minutes.hidden = kind === "none";
    this.parts.increment.hidden = kind !== "fischer";
  }

  /** As a new game asks for it; undefined: none. */
  get terms() {
    const within = (name) => Math.min(Math.max(Math.round(this.chosen[name]) || USUAL[name], 1), MOST[name]);
    if (this.kind === "none" || this.element.hidden) return undefined;
    return { total: 60 * within("minutes"), increment: this.kind === "fischer" ? within("increment") : 0 };
  }
}
