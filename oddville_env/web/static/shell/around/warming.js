/** A bar while a fresh installation compiles what it plays with, once. */

import { request } from "../base/connection.js";
import { h, refill } from "../base/dom.js";
import { t } from "../base/i18n.js";

const PAUSE = 700;
const SLOW = 3; // functions: what was compiled before is only read, and nothing has to be said

/** Look how far it is until it is done. */
export async function watchWarming() {
  const bar = h("aside", { class: "warming", role: "status", hidden: true });
  document.body.append(bar);
  for (;;) {
    const { done, of, compiled } = await request("api/ready").catch(() => ({}));
    if (!(done < of)) return bar.remove();
    bar.hidden = compiled < SLOW;
    refill(
      bar,
      h("p", {}, t("warming", { n: compiled })),
      h("progress", { max: of, value: String(done), "aria-label": t("warming", { n: compiled }) }),
    );
    await new Promise((go) => setTimeout(go, PAUSE));
  }
}
