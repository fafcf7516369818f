/** The rules by chapter, and the legend of signs. */

import { remark } from "../base/announcements.js";
import { request } from "../base/connection.js";
import { openDialog } from "../base/dialog.js";
import { button, h, refill } from "../base/dom.js";
import { needDrawings, picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
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
      {},
      h("h3", {}, t(title)),
      h(
        "ul",
        { class: "signs" },
        signs.map(([drawing, words]) => h("li", {}, picture(drawing), h("span", {}, t(words)))),
      ),
    ),
  );
  openDialog(t("legend"), h("div", { class: "legend" }, groups));
}

/** The rules: the chapters of the game's own page, and the law behind them. */
export async function openRules({ game, about }) {
  await needLessonTexts();
  await needDrawings(
    about.name,
    game.chapters.flatMap((chapter) => chapter.pictures),
  );
  const text = h("div", { class: "chapter", tabindex: -1 });
  const tabs = h("nav", { class: "contents", "aria-label": t("chapters") });
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
  openDialog(t("rules"), h("div", { class: "rules" }, tabs, text), { className: "wide" });
  tabs.firstElementChild.click();
}

function chapterText({ name, sentences, pictures }) {
  const numbers = Array.from({ length: sentences }, (_, number) => number + 1);
  return [
    h("h3", {}, t(`rules_${name}`)),
    h(
      "div",
      { class: "chapter-pictures", "aria-hidden": "true" },
      pictures.map((drawing) => picture(drawing)),
    ),
    numbers.map((number) => h("p", {}, t(`rules_${name}_${number}`))),
  ];
}

async function showLaw(name, show) {
  try {
    const { chapters } = await request(`api/rules?game=${encodeURIComponent(name)}`);
    const rule = ({ id, text }) => [h("dt", {}, id), h("dd", {}, text)];
    show([
      h("p", { class: "quiet" }, t("law_note")),
      chapters.map(({ title, rules }) => [
        h("h3", {}, title),
        h("dl", { class: "law-text", lang: "en" }, rules.map(rule)),
      ]),
    ]);
  } catch (error) {
    remark(error.message, "wrong");
  }
}
