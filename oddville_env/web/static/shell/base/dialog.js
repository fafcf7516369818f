/** Windows over the page. */

import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";

/** Open a window; it closes by its button, by Escape and by a click outside, and is then forgotten. */
export function openDialog(title, content, { className = "", closed = () => {} } = {}) {
  const dialog = h("dialog", { class: `dialog ${className}`, "aria-labelledby": "dialog-title" });
  const close = () => dialog.close();
  dialog.append(
    h(
      "header",
      { class: "dialog-head" },
      h("h2", { id: "dialog-title" }, title),
      iconButton("close", t("close"), close),
    ),
    h("div", { class: "dialog-body", tabindex: 0 }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
