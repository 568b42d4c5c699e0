/** Dialogs, short notices, and the list of moves that share a gesture. */

/** @import * as T from "../types.js" */
import { symbolPicture } from "../board/artwork.js";
import { button, content, h } from "../dom.js";
import { say, t } from "../words.js";

/**
 * @param {string} title
 * @param {Node} content
 * @param {string} [className]
 */
export function openDialog(title, content, className = "") {
  const opener = /** @type {HTMLElement | null} */ (document.activeElement);
  const dialog = h(
    "dialog",
    {
      class: className,
      "aria-label": title,
      onclose: () => {
        dialog.remove();
        focusAgain(opener);
      },
      onclick: (/** @type {Event} */ e) => e.target === dialog && dialog.close(),
    },
    h(
      "header",
      null,
      h("h2", null, title),
      button("", () => dialog.close(), { icon: "close", "aria-label": t("close"), class: "close" }),
    ),
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Go back to where one came from, or to what stands there now.
 * @param {HTMLElement | null} element
 */
function focusAgain(element) {
  const key = element?.getAttribute("data-key");
  const now = element?.isConnected ? element : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const place = /** @type {HTMLElement | null} */ (now || content());
  place?.focus({ preventScroll: true });
}

/**
 * Ask whether something is really meant.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} act
 */
export function confirmFirst(question, yes, act) {
  const dialog = openDialog(
    question,
    h(
      "div",
      { class: "button-row" },
      button(yes, () => (dialog.close(), act()), { class: "primary", "data-do": "yes" }),
      button(t("cancel"), () => dialog.close(), { "data-do": "no" }),
    ),
    "small-dialog",
  );
}

/** There from the beginning: screen readers tell what changes in a place, seldom what comes together with it. */
const notices = document.body.appendChild(h("div", { role: "status" }));

/** @param {string} text */
export function notice(text) {
  const element = h("p", { class: "notice" }, text);
  notices.replaceChildren(element);
  setTimeout(() => element.remove(), 5000);
}

/**
 * The moves that share a gesture, under their groups, those of the highest rank first.
 * @param {T.Gesture[]} choices
 * @param {(symbol: string) => string} reference
 * @param {(gesture: T.Gesture) => void} act
 * @param {() => void} cancel
 */
export function choiceList(choices, reference, act, cancel) {
  /** @type {Map<string, T.Gesture[]>} */
  const groups = new Map();
  const sorted = [...choices].sort((one, other) => (other.rank ?? 0) - (one.rank ?? 0));
  for (const choice of sorted) groups.set(say(choice.group), [...(groups.get(say(choice.group)) ?? []), choice]);
  return h(
    "div",
    {
      class: "choices",
      role: "group",
      "aria-label": t("chooseMove"),
      onkeydown: (/** @type {KeyboardEvent} */ e) => e.key === "Escape" && cancel(),
    },
    h("p", { class: "choices-title" }, t("chooseMove")),
    [...groups].map(([group, members]) =>
      h(
        "div",
        { class: "choice-group" },
        group && h("h2", { class: "small-title" }, group),
        h(
          "div",
          { class: `button-row${members.some((choice) => choice.note) ? " with-notes" : ""}` },
          members.map((choice) => choiceButton(choice, reference, act)),
        ),
      ),
    ),
    button(t("cancel"), cancel, { class: "quiet" }),
  );
}

/**
 * A move with its picture, and with what is to be known before one makes it.
 * @param {T.Gesture} choice
 * @param {(symbol: string) => string} reference
 * @param {(gesture: T.Gesture) => void} act
 */
function choiceButton(choice, reference, act) {
  const [label, note] = [say(choice.label), say(choice.note)];
  const made = button(label, () => act(choice), {
    "data-action": choice.action,
    "aria-label": note ? `${label}: ${note}` : label,
  });
  if (choice.symbol) made.prepend(symbolPicture(reference(choice.symbol), "var(--r-ink)"));
  if (note) made.lastElementChild?.append(h("small", { class: "note" }, note));
  return made;
}
