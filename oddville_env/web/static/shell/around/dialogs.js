/** The dialogs of the header: rules, legend, settings. */

import { request } from "../base/connection.js";
import { button, h, refill } from "../base/dom.js";
import { needDrawings, picture } from "../base/drawings.js";
import { LANGUAGES, speak, speaking, t } from "../base/i18n.js";
import { openDialog, remark } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { SPEEDS } from "../beside/missed.js";
import { wishNotifications } from "../table/clocks.js";
import { needLessonTexts } from "../table/coach.js";

/** What every sign means. */
export async function openLegend({ game, about }) {
  await needDrawings(
    about.name,
    game.legend.flatMap((group) => group.signs.map(([drawing]) => drawing)),
  );
  const groups = game.legend.map(({ title, signs }) =>
    h(
      "section",
      h("h3", t(title)),
      h(
        "ul.signs",
        signs.map(([drawing, words]) => h("li", picture(drawing), h("span", t(words)))),
      ),
    ),
  );
  openDialog(t("legend"), h(".legend", groups));
}

/** The rules: the chapters of the game's own page, and the law behind them. */
export async function openRules({ game, about }) {
  await needLessonTexts();
  await needDrawings(
    about.name,
    game.chapters.flatMap((chapter) => chapter.pictures),
  );
  const text = h(".chapter", { tabindex: -1 });
  const tabs = h("nav.contents", { "aria-label": t("chapters") });
  const open = (entry, content) => {
    for (const one of tabs.children) one.setAttribute("aria-current", String(one === entry));
    refill(text, content);
    text.scrollTop = 0;
  };
  for (const chapter of game.chapters) {
    const entry = button(t(`rules_${chapter.name}`), () => open(entry, chapterText(chapter)), {
      class: "button entry",
    });
    tabs.append(entry);
  }
  const law = button(t("law"), () => showLaw(about.name, (content) => open(law, content)), { class: "button entry" });
  tabs.append(law);
  openDialog(t("rules"), h(".rules", tabs, text), { className: "wide" });
  tabs.firstElementChild.click();
}

function chapterText({ name, sentences, pictures }) {
  const numbers = Array.from({ length: sentences }, (_, number) => number + 1);
  return [
    h("h3", t(`rules_${name}`)),
    h(
      ".chapter-pictures",
      { "aria-hidden": "true" },
      pictures.map((drawing) => picture(drawing)),
    ),
    numbers.map((number) => h("p", t(`rules_${name}_${number}`))),
  ];
}

async function showLaw(name, show) {
  try {
    const { chapters } = await request(`api/rules?game=${encodeURIComponent(name)}`);
    const rule = ({ id, text }) => [h("dt", id), h("dd", text)];
    show([
      h("p.quiet", t("law_note")),
      chapters.map(({ title, rules }) => [h("h3", title), h("dl.law-text", { lang: "en" }, rules.map(rule))]),
    ]);
  } catch (error) {
    remark(error.message, "wrong");
  }
}

/** The choice of a language. */
export function languageChoice() {
  const names = Object.entries(LANGUAGES).map(([name, words]) =>
    h("option", { value: name, lang: name, selected: name === speaking() }, words),
  );
  const change = (event) => {
    speak(event.target.value);
    document.querySelector("dialog")?.close();
    dispatchEvent(new Event("language"));
  };
  return h("select", { "aria-label": t("language"), onchange: change, id: "language" }, names);
}

const toggle = (name) =>
  h(
    "label.toggle",
    h("input", {
      type: "checkbox",
      checked: preferences[name],
      onchange: (event) => prefer(name, event.target.checked),
    }),
    h("span", t(`prefer_${name}`)),
  );

/** Notifications: the browser asks once whether it may show them. */
const notifyToggle = () =>
  h(
    "label.toggle",
    h("input", {
      type: "checkbox",
      checked: preferences.notify,
      onchange: async (event) => {
        const box = event.target;
        const wished = box.checked;
        box.checked = await wishNotifications(wished);
        if (wished && !box.checked) remark(t("notify_refused"), "wrong");
      },
    }),
    h("span", t("prefer_notify")),
  );

/** How fast one is shown what happened since one looked last. */
const replayChoice = () =>
  h(
    "label.field",
    h("span", t("prefer_replay")),
    h(
      "select",
      { id: "replay", onchange: (event) => prefer("replay", event.target.value) },
      Object.keys(SPEEDS).map((speed) =>
        h("option", { value: speed, selected: speed === preferences.replay }, t(`replay_${speed}`)),
      ),
    ),
  );

/** Open the window of settings. */
export function openSettings(game) {
  const common = ["1–9", "Enter", "Esc", "U", "H", "P", "[ ]"].map((key, number) => [key, `key_${number}`]);
  const keys = [...common, ...(game.keys ?? [])];
  openDialog(
    t("settings"),
    h(
      ".settings",
      h("label.field", h("span", t("language")), languageChoice()),
      toggle("confirm"),
      toggle("motion"),
      replayChoice(),
      toggle("sound"),
      notifyToggle(),
      h("h3", t("keyboard")),
      h(
        "dl.keys",
        keys.map(([key, words]) => [h("dt", h("kbd", key)), h("dd", t(words))]),
      ),
      h("p.quiet", t("keyboard_note")),
    ),
  );
}
