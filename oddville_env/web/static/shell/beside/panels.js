/** What stands beside the table: the players, the moves, the analysis; one of them at a time where there is little room. */

import { button, h, Part } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { Analysis } from "./analysis.js";
import { PointsChart } from "./charts.js";
import { Chat } from "./chat.js";
import { Log } from "./log.js";
import { Playback } from "./playback.js";
import { Result } from "./result.js";

const TABS = ["players", "moves", "analysis", "chat"];

export class Panels extends Part {
  constructor(page) {
    super(page);
    this.seats = h(".seats-list");
    this.invitation = button(t("invite"), () => page.share(), { class: "button invite", hidden: true });
    this.list = new Log(page);
    this.playback = new Playback(page);
    this.analysis = new Analysis(page);
    this.result = new Result(page);
    this.chat = new Chat(page);
    this.points = new PointsChart(page);
    const part = (name, ...shown) =>
      h(".tab-panel", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` }, shown);
    this.parts = {
      players: part("players", this.result.element, this.points.element, this.seats, this.invitation),
      moves: part("moves", this.list.element),
      analysis: part("analysis", this.analysis.element),
      chat: part("chat", this.chat.element),
    };
    this.tabs = h(".tabs", { role: "tablist", "data-roving": true }, TABS.map(this.tab, this));
    this.element = h("section.panels", this.tabs, Object.values(this.parts), this.playback.element);
    this.open(page.where.analyse ? "analysis" : "players");
  }

  tab(name) {
    const marks = { class: "tab", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-stop": true };
    const open = () => this.open(name);
    return button(t(`tab_${name}`), open, { ...marks, onfocus: open });
  }

  open(name) {
    this.shown = name;
    for (const tab of this.tabs.children) {
      const mine = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(mine));
      tab.setAttribute("tabindex", mine ? "0" : "-1");
    }
    for (const [key, part] of Object.entries(this.parts)) part.hidden = key !== name;
    this.element.dataset.shown = name;
    if (name === "moves") this.list.showCurrent();
    if (name === "chat") this.chat.read();
  }

  greet() {
    this.analysis.greet();
    this.chat.greet();
  }

  /** @param {Protocol.State} state */
  render(state) {
    this.element.classList.toggle("playing", state.seats.some((seat) => seat.mine) && !state.over && state.newest);
    this.invitation.hidden =
      !this.page.hello.links || state.over || state.seats.filter((seat) => seat.kind === "human").length < 2;
    const { list, playback, analysis, result, points, chat } = this;
    for (const part of [list, playback, analysis, result, points, chat]) part.render(state);
  }

  leave() {
    this.playback.stop();
  }
}
