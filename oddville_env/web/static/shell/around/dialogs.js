/** The dialogs of the header: rules, legend, settings. */

import { request } from "../base/connection.js";
import { button, choice, field, h, refill, toggle } from "../base/dom.js";
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
  const names = Object.entries(LANGUAGES).map(([name, words]) => [name, words, { lang: name }]);
  const change = (name) => {
    speak(name);
    document.querySelector("dialog")?.close();
    dispatchEvent(new Event("language"));
  };
  return choice(names, speaking(), change, { "aria-label": t("language"), id: "language" });
}

const preference = (name) => toggle(t(`prefer_${name}`), preferences[name], (ticked) => prefer(name, ticked));

/** Notifications: the browser asks once whether it may show them. */
const notifyToggle = () =>
  toggle(t("prefer_notify"), preferences.notify, async (wished, box) => {
    box.checked = await wishNotifications(wished);
    if (wished && !box.checked) remark(t("notify_refused"), "wrong");
  });

/** The speed at which missed moves are shown. */
const replayChoice = () => {
  const speeds = Object.keys(SPEEDS).map((speed) => [speed, t(`replay_${speed}`)]);
  const change = (speed) => prefer("replay", speed);
  return field(t("prefer_replay"), choice(speeds, preferences.replay, change, { id: "replay" }));
};

/** Open the window of settings. */
export function openSettings(game) {
  const common = ["1–9", "Enter", "Esc", "U", "H", "P", "[ ]"].map((key, number) => [key, `key_${number}`]);
  const keys = [...common, ...(game.keys ?? [])];
  openDialog(
    t("settings"),
    h(
      ".settings",
      field(t("language"), languageChoice()),
      preference("confirm"),
      preference("motion"),
      replayChoice(),
      preference("sound"),
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
