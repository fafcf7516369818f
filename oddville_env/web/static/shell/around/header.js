/** The top of the page and what it opens: rules, legend, settings, players and links. */

import { gameFile, recordLink, request } from "../base/connection.js";
import { button, choice, field, h, iconButton, Part, refill, textField, toggle } from "../base/dom.js";
import { needDrawings, picture } from "../base/drawings.js";
import { playerName } from "../base/games.js";
import { LANGUAGES, speak, speaking, t } from "../base/i18n.js";
import { openDialog, orTell, remark } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { SPEEDS } from "../beside/playback.js";
import { savePicture } from "../beside/result.js";
import { wishNotifications } from "../table/clocks.js";
import { needLessonTexts } from "../table/lesson.js";

/** The way to the lobby, with a sign on it. */
export const brandLink = (...sign) => h("a.brand", { href: "#", title: t("to_lobby") }, sign);

/** The top of a page. */
export const topOf = (brand, words, doors) =>
  h("header.top", h("h1", brand), words, h("nav.doors", { "aria-label": t("menu") }, doors));

export class Header extends Part {
  brand = brandLink(this.sign(this.page.about.title));
  turn = h(".turn");
  trouble = h(".lost", { role: "alert", hidden: true });
  element = topOf(this.brand, [this.turn, this.trouble], this.doors());

  /** The game's sign and name. */
  sign(title) {
    const { brand } = this.page.game;
    return [brand ? picture(brand) : null, h("span", title)];
  }

  doors() {
    const { page } = this;
    return [
      iconButton("rules", t("rules"), () => openRules(page)),
      page.game.legend.length ? iconButton("legend", t("legend"), () => openLegend(page)) : null,
      iconButton("share", t("players_links"), () => page.share()),
      iconButton("settings", t("settings"), () => openSettings(page.game)),
    ];
  }

  /** Whose turn it is, and how far the game is. @param {Protocol.State} state */
  render(state) {
    const { seats, game } = this.page;
    const seat = state.over ? state.outcome?.winners[0] : state.to_move;
    const colour = seat === undefined || seat === null ? null : this.page.colour(seat);
    const words = state.over
      ? t("wins", { name: state.outcome.winners.map((one) => seats.name(one)).join(" & ") })
      : t("to_move", { name: seats.name(seat) });
    this.turn.style.setProperty("--seat", colour?.full ?? "transparent");
    this.turn.style.setProperty("--seat-pale", colour?.pale ?? "transparent");
    const sign = (holds, word, why) =>
      holds && h("span.badge", { title: t(why) }, t(word), h("span.unseen", `: ${t(why)}`));
    const signs = [
      sign(state.practice, "practice", "practice_words"),
      sign(this.page.hello.help, "with_help", "with_help_words"),
      sign(!state.saved, "not_saved", "not_saved_words"),
    ];
    refill(
      this.turn,
      colour && picture(game.seatSign(seat), "pawn"),
      h("b", words),
      game.notice?.(state) ?? null,
      state.table?.round ? h("span.round", t("round", { n: state.table.round })) : null,
      state.newest ? null : h("span.past", t("past", { n: state.shown, all: state.moves })),
      h("span.signs", signs),
    );
  }

  connected(there, seconds) {
    this.trouble.hidden = there;
    if (there) refill(this.brand, this.sign(this.page.hello.title));
    else this.trouble.textContent = t("lost", { n: seconds });
  }
}

/** What every sign means. */
async function openLegend({ game, about }) {
  const drawings = game.legend.flatMap((group) => group.signs.map(([drawing]) => drawing));
  await needDrawings(about.name, drawings);
  const sign = ([drawing, words]) => h("li", picture(drawing), h("span", t(words)));
  const groups = game.legend.map(({ title, signs }) => h("section", h("h3", t(title)), h("ul.signs", signs.map(sign))));
  openDialog(t("legend"), h(".legend", groups));
}

/** The rules: the chapters of the game's own page, and the law behind them. */
async function openRules({ game, about }) {
  await needLessonTexts();
  const drawings = game.chapters.flatMap((chapter) => chapter.pictures);
  await needDrawings(about.name, drawings);
  const text = h(".chapter", { tabindex: -1 });
  const tabs = h("nav.contents", { "aria-label": t("chapters") });
  const open = (entry, content) => {
    for (const one of tabs.children) one.setAttribute("aria-current", String(one === entry));
    refill(text, content);
    text.scrollTop = 0;
  };
  const add = (words, act) => {
    const entry = button(words, () => act((content) => open(entry, content)), { class: "button entry" });
    tabs.append(entry);
  };
  for (const chapter of game.chapters) add(t(`rules_${chapter.name}`), (show) => show(chapterText(chapter)));
  add(t("law"), (show) => showLaw(about.name, show));
  openDialog(t("rules"), h(".rules", tabs, text), { className: "wide" });
  tabs.firstElementChild.click();
}

function chapterText({ name, sentences, pictures }) {
  return [
    h("h3", t(`rules_${name}`)),
    h(".chapter-pictures", { "aria-hidden": "true" }, ...pictures.map((drawing) => picture(drawing))),
    Array.from({ length: sentences }, (_, place) => h("p", t(`rules_${name}_${place + 1}`))),
  ];
}

const showLaw = (name, show) =>
  orTell(async () => {
    const { chapters } = await request(`api/rules?game=${encodeURIComponent(name)}`);
    const rule = ({ id, text }) => [h("dt", id), h("dd", text)];
    show([
      h("p.quiet", t("law_note")),
      chapters.map(({ title, rules }) => [h("h3", title), h("dl.law-text", { lang: "en" }, rules.map(rule))]),
    ]);
  });

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
  const common = ["1–9", "Enter", "Esc", "U", "H", "P", "[ ]", "J K"].map((key, number) => [key, `key_${number}`]);
  const line = ([key, words]) => [h("dt", h("kbd", key)), h("dd", t(words))];
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
      h("dl.keys", [...common, ...(game.keys ?? [])].map(line)),
      h("p.quiet", t("keyboard_note")),
    ),
  );
}

const linkTo = (id, key) => new URL(`#${new URLSearchParams({ game: id, key })}`, document.baseURI).href;

/** Copy what a field holds. */
async function copyText(field) {
  field.focus(); // the browser's own clipboard is there on secure addresses alone: else what is marked is copied
  field.select();
  const written = navigator.clipboard?.writeText(field.value);
  const copied = await written?.then(() => true).catch(() => false);
  remark(t(copied || document.execCommand("copy") ? "copied" : "copy_by_hand"));
}

/** What can be taken along of the moment that is shown. @param {import("./game_page.js").GamePage} page */
function takeAlong(page) {
  const { where, about, state } = page;
  const python = async ({ target }) => {
    const record = await request(`api/games/${where.id}/record?key=${where.key}`);
    const [first, name] = about.python;
    const begin = `${first}\n\ngame = ${name}.from_record(r"""${JSON.stringify(record)}""")`;
    const field = h("textarea.python", { readonly: true, rows: 5, "aria-label": t("copy_python") });
    field.value = `${begin}\ngame.take_back(${state.shown})\n`;
    target.parentElement.after(field);
    copyText(field);
  };
  const svg = { href: `${gameFile(where.id, where.key, "table.svg")}&move=${state.shown}` };
  return h(
    ".buttons",
    h("span", t("this_position")),
    button("PNG", () => savePicture(page)),
    h("a.button", { ...svg, download: `${about.name}-${state.shown}.svg` }, "SVG"),
    state.may.record ? button(t("copy_python"), python, { "data-key": "python" }) : null,
  );
}

/** A button that copies a link. */
function copyLink(words, link) {
  const onfocus = (event) => event.target.select();
  const field = h("input", { readonly: true, value: link, "aria-label": words, onfocus });
  const code = (event) => event.target.replaceWith(qrCode(words, link));
  return h(
    "span.copy",
    field,
    button(t("copy"), () => copyText(field)),
    button(t("qr"), code, { title: t("qr_words") }),
  );
}

/** A link for a phone's camera. */
function qrCode(words, link) {
  const place = new URL(`api/qr.svg?${new URLSearchParams({ text: link })}`, document.baseURI);
  return h("img.qr", { src: place.href, alt: `${t("qr")}: ${words}` });
}

/** Open the window of players and links. @param {import("./game_page.js").GamePage} page */
export function openShare(page) {
  const { hello, state } = page;
  const links = hello.links;
  const moment = `${linkTo(page.where.id, links?.watch ?? page.where.key)}&move=${state.shown}`;
  const leave = () => {
    page.send({ type: "leave" });
    dialog.close();
  };
  const dialog = openDialog(
    t("players_links"),
    h(
      ".share",
      state.seats.map((seat) => seatLine(page, seat, () => dialog.close())),
      links?.watch ? field(t("watch_link"), copyLink(t("watch_link"), linkTo(page.where.id, links.watch))) : null,
      field(t("moment_link"), copyLink(t("moment_link"), moment)),
      takeAlong(page),
      h(
        ".buttons",
        state.may.record ? h("a.button", recordLink(page.where), t("save_record")) : h("span.quiet", t("record_later")),
        state.seats.some((seat) => seat.mine) ? button(t("stand_up"), leave) : null,
      ),
    ),
  );
}

/** The field for one's own name. @param {import("./game_page.js").GamePage} page */
function nameField(page, { seat, person }) {
  const onchange = (event) => {
    prefer("name", event.target.value.trim());
    page.send({ type: "name", seat, name: event.target.value });
  };
  return textField(person ?? "", t("name_of", { name: page.seats.name(seat) }), { placeholder: t("name"), onchange });
}

/** @param {import("./game_page.js").GamePage} page */
function seatLine(page, seat, close) {
  const { hello, info } = page;
  const key = hello.links?.seats?.[seat.seat];
  const agents = info.agents.filter((agent) => agent.game === hello.game);
  const change = (spec) => {
    page.send({ type: "seat", seat: seat.seat, agent: spec || null });
    close();
  };
  const specs = [...new Set(["", ...agents.map(({ spec }) => spec), seat.agent ?? ""])];
  const options = specs.map((spec) => [spec, spec ? playerName(spec, page.about) : t("a_person"), { title: spec }]);
  const named = { "aria-label": t("who_plays", { name: page.seats.name(seat.seat) }) };
  return h(
    ".share-seat",
    h("b", page.seats.name(seat.seat)),
    h("span.quiet", seat.message || t(`status_${seat.status}`)),
    seat.mine && !page.state.over ? nameField(page, seat) : null,
    page.state.may.seat ? choice(options, seat.agent ?? "", change, named) : null,
    key && seat.kind === "human" ? copyLink(t("seat_link"), linkTo(page.where.id, key)) : null,
  );
}
