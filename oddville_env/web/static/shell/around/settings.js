/** What this visitor may choose for the page: language, movement, confirming. */

import { remark } from "../base/announcements.js";
import { openDialog } from "../base/dialog.js";
import { h } from "../base/dom.js";
import { LANGUAGES, speak, speaking, t } from "../base/i18n.js";
import { prefer, preferences } from "../base/preferences.js";
import { SPEEDS } from "../beside/missed.js";
import { wishNotifications } from "../table/turn_call.js";

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
    "label",
    { class: "toggle" },
    h("input", {
      type: "checkbox",
      checked: preferences[name],
      onchange: (event) => prefer(name, event.target.checked),
    }),
    h("span", {}, t(`prefer_${name}`)),
  );

/** Notifications: the browser asks once whether it may show them. */
const notifyToggle = () =>
  h(
    "label",
    { class: "toggle" },
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
    h("span", {}, t("prefer_notify")),
  );

/** How fast one is shown what happened since one looked last. */
const replayChoice = () =>
  h(
    "label",
    { class: "field" },
    h("span", {}, t("prefer_replay")),
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
      "div",
      { class: "settings" },
      h("label", { class: "field" }, h("span", {}, t("language")), languageChoice()),
      toggle("confirm"),
      toggle("motion"),
      replayChoice(),
      toggle("sound"),
      notifyToggle(),
      h("h3", {}, t("keyboard")),
      h(
        "dl",
        { class: "keys" },
        keys.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(words))]),
      ),
      h("p", { class: "quiet" }, t("keyboard_note")),
    ),
  );
}
