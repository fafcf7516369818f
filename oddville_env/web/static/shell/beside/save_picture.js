/** A picture of the table and of how the game ended, to keep and to share. */

import { remark } from "../base/announcements.js";
import { gameFile } from "../base/connection.js";
import { h } from "../base/dom.js";
import { t } from "../base/i18n.js";

const WIDTH = 1200;
const LINE = 44;
const EDGE = 28;
const PAPER = "#F7F2E8";
const INK = "#37322C";

/** Draw the moment that is shown and offer it as a file. @param {import("../around/game_page.js").GamePage} page */
export async function savePicture(page) {
  try {
    const drawn = await loaded(`${gameFile(page.where.id, page.where.key, "table.svg")}&move=${page.state.shown}`);
    const canvas = withResult(page, drawn);
    const file = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const link = h("a", { href: URL.createObjectURL(file), download: `${page.hello.game}-${page.state.shown}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), LINE * 1000);
  } catch {
    remark(t("no_picture"), "wrong");
  }
}

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
  const order = state.score
    .map((_, seat) => seat)
    .sort((one, other) => state.score[other].points - state.score[one].points);
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
