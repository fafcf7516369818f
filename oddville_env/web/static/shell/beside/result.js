/** Points by source, seat by seat; at the end of a game, the winner. */

import { gameFile, recordLink } from "../base/connection.js";
import { button, h, Part, refill, saveFile } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
import { announce, orTell } from "../base/overlays.js";

const SHADES = [1, 0.72, 0.5, 0.32, 0.2];

export class Result extends Part {
  element = h("section.result.panel", { "aria-label": t("result") });

  /** @param {Protocol.State} state */
  render(state) {
    const { outcome } = state;
    const points = state.score.map((score) => score.points);
    const names = outcome?.winners.map((seat) => this.page.seats.name(seat)).join(" & ");
    const title = outcome ? t("wins", { name: names }) : t("points_so_far");
    const place = (seat) => outcome?.ranks[seat] ?? -points[seat];
    const order = points.map((_, seat) => seat).sort((one, other) => place(one) - place(other));
    const most = Math.max(...points, 1);
    this.element.classList.toggle("standing", !outcome);
    refill(
      this.element,
      h("h2", { tabindex: -1 }, title),
      outcome?.truncated ? h("p.quiet", t("cut_off")) : null,
      order.map((seat) => this.bar(state, seat, outcome ? `${outcome.ranks[seat]}.` : "", most)),
      outcome ? this.series(state) : null,
      outcome ? this.buttons(state) : null,
    );
    if (outcome && !this.said) this.say(title, order, points);
  }

  /** Announce the winner and all points. */
  say(title, order, points) {
    this.said = true;
    const told = order.map((seat) => `${this.page.seats.name(seat)}: ${t("n_points", { n: points[seat] })}`);
    announce(`${title}. ${told.join(", ")}.`);
    this.element.scrollIntoView({ block: "nearest" });
    const { activeElement: held } = document; // what was touched last is gone: the focus goes to the result
    if (held === document.body || held?.closest(".dock, .city-area, .town-area"))
      this.element.querySelector("h2").focus();
  }

  bar(state, seat, rank, most) {
    const { page } = this;
    const { points, sources } = state.score[seat];
    const colour = page.colour(seat).full;
    const told = ({ source, points: part }) => `${t(`source_${source}`)} ${part}`;
    const shown = (one, place) => {
      const width = `${(100 * Math.max(one.points, 0)) / most}%`;
      const style = { width, "background-color": colour, opacity: SHADES[place % SHADES.length] };
      return h("span.source", { style, title: told(one) });
    };
    const parts = (sources ?? [{ source: "points", points }]).map(shown);
    const known = (sources ?? []).filter((one) => one.points);
    const words = known.map(told).join(", ");
    return h(
      ".result-seat",
      h("i", rank),
      picture(page.game.seatSign(seat), "pawn"),
      h("span", page.seats.fullName(seat)),
      h("b", String(points)),
      h(".sources", words ? { role: "img", "aria-label": words } : {}, parts),
      h("small.quiet", words),
    );
  }

  /** Games won, where the same people have played before. */
  series({ seats, outcome }) {
    if (!seats.some(({ seat, wins }) => wins > (outcome.winners.includes(seat) ? 1 : 0))) return null;
    const won = seats.map(({ seat, wins }) => `${this.page.seats.name(seat)} ${wins}`);
    return h("p.series", t("wins_so_far", { all: won.join(" : ") }));
  }

  /** The button for a rematch with changed seats. */
  next({ may, rematch }) {
    const { page } = this;
    if (page.lesson) return null;
    const go = () => page.where.visit({ game: rematch.id, key: rematch.key });
    if (rematch) return button(t("to_rematch"), go, { class: "button primary", "data-key": "to-rematch" });
    const ask = () => {
      page.goesOn = true;
      page.send({ type: "rematch" });
    };
    return may.rematch ? button(t("rematch"), ask, { class: "button primary", "data-key": "rematch" }) : null;
  }

  buttons(state) {
    const turns = () => this.page.panels.analysis.askChances();
    return h(
      ".buttons",
      this.next(state),
      state.may.analyse ? button(t("what_turned"), turns, { "data-key": "what-turned" }) : null,
      button(t("save_picture"), () => savePicture(this.page), { "data-key": "save-picture" }),
      state.may.record ? h("a.button", recordLink(this.page.where), t("save_record")) : null,
    );
  }
}

const WIDTH = 1200;
const LINE = 44;
const EDGE = 28;
const PAPER = "#F7F2E8";
const INK = "#37322C";

/** Draw the moment that is shown and offer it as a file. @param {import("../around/game_page.js").GamePage} page */
export const savePicture = (page) =>
  orTell(async () => {
    const drawn = await loaded(`${gameFile(page.where.id, page.where.key, "table.svg")}&move=${page.state.shown}`);
    const canvas = withResult(page, drawn);
    const file = await new Promise((done) => canvas.toBlob(done, "image/png"));
    saveFile(`${page.hello.game}-${page.state.shown}.png`, file);
  }, "no_picture");

async function loaded(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  const picture = new Image();
  picture.src = URL.createObjectURL(await answer.blob());
  await picture.decode();
  URL.revokeObjectURL(picture.src);
  return picture;
}

function withResult(page, drawn) {
  const { hello, state, seats } = page;
  const order = [...state.score.keys()].sort((one, other) => state.score[other].points - state.score[one].points);
  const top = 2 * EDGE + LINE * (order.length + 1);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = top + (WIDTH * (drawn.naturalHeight || 1)) / (drawn.naturalWidth || 1);
  const pen = canvas.getContext("2d");
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  pen.font = "600 34px Georgia, serif";
  pen.fillStyle = INK;
  pen.fillText(hello.title, EDGE, EDGE + LINE / 2);
  pen.font = "26px sans-serif";
  order.forEach((seat, place) => {
    const middle = EDGE + LINE * (place + 1.5);
    pen.fillStyle = page.colour(seat).full;
    pen.fillRect(EDGE, middle - 13, 26, 26);
    pen.fillStyle = INK;
    pen.fillText(`${state.score[seat].points}   ${seats.fullName(seat)}`, EDGE + LINE, middle);
  });
  pen.drawImage(drawn, 0, top, WIDTH, canvas.height - top);
  return canvas;
}
