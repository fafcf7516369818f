/** Players and links: links to give away, seats that agents take over, leaving and coming back. */

import { gameFile } from "../base/connection.js";
import { button, choice, field, h, textField } from "../base/dom.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { openDialog, remark } from "../base/overlays.js";
import { prefer } from "../base/storage.js";

const linkTo = (id, key) => new URL(`#${new URLSearchParams({ game: id, key })}`, document.baseURI).href;

/** A button that copies a link. */
export function copyLink(words, link) {
  const field = h("input", {
    readonly: true,
    value: link,
    "aria-label": words,
    onfocus: (event) => event.target.select(),
  });
  const copy = async () => {
    field.focus(); // the browser's own clipboard is there on secure addresses alone: else what is marked is copied
    const copied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    remark(t(copied || document.execCommand("copy") ? "copied" : "copy_by_hand"));
  };
  return h(
    "span.copy",
    field,
    button(t("copy"), copy),
    button(t("qr"), (event) => event.target.replaceWith(qrCode(words, link)), { title: t("qr_words") }),
  );
}

/** A link for a phone's camera. */
function qrCode(words, link) {
  const place = new URL(`api/qr.svg?${new URLSearchParams({ text: link })}`, document.baseURI);
  return h("img.qr", { src: place.href, alt: `${t("qr")}: ${words}` });
}

/** A link to the moment that is shown. @param {import("../around/game_page.js").GamePage} page */
export const momentLink = (page) =>
  `${linkTo(page.where.id, page.hello.links?.watch ?? page.where.key)}&move=${page.state.shown}`;

/** Open the window of players and links. @param {import("../around/game_page.js").GamePage} page */
export function openShare(page) {
  const { hello, state } = page;
  const links = hello.links;
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
      field(t("moment_link"), copyLink(t("moment_link"), momentLink(page))),
      h(
        ".buttons",
        state.may.record
          ? h("a.button", { href: gameFile(page.where.id, page.where.key, "record"), download: "" }, t("save_record"))
          : h("span.quiet", t("record_later")),
        state.seats.some((seat) => seat.mine) ? button(t("stand_up"), leave) : null,
      ),
    ),
  );
}

/** The field for one's own name. @param {import("../around/game_page.js").GamePage} page */
function nameField(page, { seat, person }) {
  const onchange = (event) => {
    prefer("name", event.target.value.trim());
    page.send({ type: "name", seat, name: event.target.value });
  };
  const label = t("name_of", { name: page.seats.name(seat) });
  return textField(person ?? "", label, { placeholder: t("name"), onchange });
}

/** @param {import("../around/game_page.js").GamePage} page */
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
