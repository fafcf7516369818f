/** What people at the table say to each other: always text, never markup. */

import { button, h, Part, refill, textField, toggle } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
import { announce } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";

const MOST = 100; // lines that are kept

export class Chat extends Part {
  lines = [];
  unread = 0;
  list = h("ol.chat-lines");
  log = h(".chat-log", { role: "log", "aria-label": t("tab_chat"), tabindex: 0 }, this.list);
  input = textField("", t("chat_say"), { maxlength: 200, id: "chat-line", placeholder: t("chat_say") });
  name = textField(preferences.name, t("your_name"), {
    id: "chat-name",
    placeholder: t("name"),
    onchange: () => prefer("name", this.name.value.trim()),
  });
  form = h(
    "form.chat-form",
    { onsubmit: (event) => this.say(event) },
    this.name,
    this.input,
    button(t("chat_send"), null, { type: "submit", "data-key": "chat-send" }),
  );
  rule = toggle(t("chat_allowed"), true, (allowed) => this.page.send({ type: "allow_chat", allowed }));
  allow = this.rule.querySelector("input");
  off = h("p.quiet", t("error_chat_off"));
  element = h(".chat", this.log, this.off, this.form, this.rule);

  /** Show what this user may write, and whether there is anyone to read it. @param {Protocol.State} state */
  render(state) {
    const host = this.page.hello.role === "host" && state.seats.filter((seat) => seat.kind === "human").length > 1;
    this.form.hidden = !state.may.chat;
    this.name.hidden = state.seats.some((seat) => seat.mine); // players are called by their seat's name
    this.off.hidden = state.chat;
    this.rule.hidden = !host;
    this.allow.checked = state.chat;
    this.there = !this.page.lesson && (state.may.chat || host || this.lines.length > 0);
    this.showTab();
  }

  showTab() {
    const tab = document.getElementById("tab-chat");
    if (!tab) return;
    tab.hidden = !this.there;
    refill(tab, t("tab_chat"), this.unread ? h("span.badge", String(this.unread)) : null);
  }

  /** All lines are told again, after a lost connection too. */
  greet() {
    this.lines = [];
    this.entered = false;
  }

  /** All lines when one enters, then each new one. @param {Protocol.Told & { type: "chat" }} message */
  hear({ lines }) {
    const entering = !this.entered && lines.length > 1;
    this.entered = true;
    this.lines = (entering ? lines : [...this.lines, ...lines]).slice(-MOST);
    refill(this.list, this.lines.map(this.line, this));
    this.there = true;
    if (this.page.panels.shown === "chat") this.read();
    else {
      if (!entering) this.unread += lines.length;
      this.showTab();
      if (!entering) announce(`${this.who(lines.at(-1))}: ${lines.at(-1).text}`);
    }
  }

  /** @param {Protocol.Line} line */
  who({ seat, name }) {
    return seat === null ? (name ?? t("a_spectator")) : this.page.seats.name(seat);
  }

  line(line) {
    const { seat, text, when } = line;
    const time = new Date(when * 1000).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
    return h(
      "li",
      { title: time },
      seat === null ? null : picture(this.page.game.seatSign(seat), "pawn"),
      h("b", this.who(line)),
      " ",
      h("bdi", text),
    );
  }

  /** The lines are looked at. */
  read() {
    this.unread = 0;
    this.showTab();
    this.log.scrollTop = this.log.scrollHeight;
  }

  say(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.page.send({ type: "chat", text, ...(this.name.hidden ? {} : { name: this.name.value.trim() || null }) });
    this.input.value = "";
  }
}
