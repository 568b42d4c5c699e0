/** Form fields from declared parameters: each is declared once, in Python, with its kind, range and help. */

/** @import * as T from "../types.js" */
import { button, h } from "../dom.js";
import { say, sayFirst, t } from "../words.js";

/**
 * A field of a form. `change` gets undefined when the field is left to its default.
 * @param {T.Field} field
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
export function formField(field, value, change) {
  const id = `field-${field.name}-${Math.random().toString(36).slice(2, 8)}`;
  const range =
    field.low != null && field.high != null ? t("minimumMaximum", { low: field.low, high: field.high }) : "";
  const help = [say(field.help), range].filter(Boolean).join(" · ");
  return h(
    "div",
    { class: `field kind-${field.kind}`, "data-field": field.name },
    h("label", { for: id }, say(field.title)),
    input(field, id, value ?? field.default, change),
    help && h("p", { class: "help", id: `${id}-help` }, help),
  );
}

/**
 * @param {T.Field} field
 * @param {string} id
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
function input(field, id, value, change) {
  const described = { id, "aria-describedby": `${id}-help` };
  switch (field.kind) {
    case "bool":
      if (field.optional)
        return select(
          described,
          [
            ["", t("automatic")],
            ["true", t("yes")],
            ["false", t("no")],
          ],
          value == null ? "" : String(value),
          (chosen) => change(chosen === "" ? undefined : chosen === "true"),
        );
      return h("input", {
        ...described,
        type: "checkbox",
        class: "switch",
        checked: Boolean(value),
        onchange: (/** @type {any} */ e) => change(e.target.checked),
      });
    case "choice": {
      const choices = (field.choices ?? []).map(
        (choice) => /** @type {[string, string]} */ ([String(choice.value), sayFirst(choice.title)]),
      );
      if (field.optional) choices.unshift(["", t("automatic")]);
      return select(described, choices, value == null ? "" : String(value), (chosen) =>
        change(chosen === "" ? undefined : chosen),
      );
    }
    case "int":
    case "float":
      return numberInput(field, described, value, change);
    case "text":
      return h("input", {
        ...described,
        type: "text",
        value: value == null ? "" : String(value),
        placeholder: field.optional ? t("automatic") : "",
        onchange: (/** @type {any} */ e) => change(e.target.value.trim() || undefined),
      });
  }
}

/**
 * @param {import("../dom.js").Props} props
 * @param {[string, string][]} choices
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function select(props, choices, value, change) {
  const options = choices.map(([chosen, title]) => h("option", { value: chosen, selected: chosen === value }, title));
  return h("select", { ...props, onchange: (/** @type {any} */ e) => change(e.target.value) }, options);
}

/**
 * A number with buttons beside it that are large enough for fingers.
 * @param {T.Field} field
 * @param {import("../dom.js").Props} props
 * @param {unknown} value
 * @param {(value: unknown) => void} change
 */
function numberInput(field, props, value, change) {
  const step = field.kind === "int" ? 1 : 0.1;
  const element = h("input", {
    ...props,
    type: "number",
    inputmode: field.kind === "int" ? "numeric" : "decimal",
    step: field.kind === "int" ? 1 : "any",
    min: field.low,
    max: field.high,
    value: value == null ? "" : String(value),
    placeholder: field.optional ? t("automatic") : "",
    onchange: () => change(element.value === "" ? undefined : Number(element.value)),
  });
  const by = (/** @type {number} */ way) => {
    const from = element.value === "" ? Number(field.default ?? field.low ?? 0) : Number(element.value);
    const next = Math.min(field.high ?? Infinity, Math.max(field.low ?? -Infinity, from + way * step));
    element.value = String(Math.round(next * 1000) / 1000);
    change(Number(element.value));
  };
  return h(
    "span",
    { class: "stepper" },
    button("", () => by(-1), { icon: "minus", "aria-label": `${say(field.title)} −` }),
    element,
    button("", () => by(1), { icon: "plus", "aria-label": `${say(field.title)} +` }),
  );
}

/**
 * Some choices side by side, one of them chosen.
 * @template V
 * @param {string} legend
 * @param {{value: V, title: string, icon?: string}[]} choices
 * @param {V} value
 * @param {(value: V) => void} change
 * @param {string} name
 */
export function chips(legend, choices, value, change, name) {
  return h(
    "fieldset",
    { class: "chips", "data-chips": name },
    h("legend", null, legend),
    h(
      "div",
      { class: "chip-row" },
      choices.map((choice, i) =>
        button(choice.title, () => change(choice.value), {
          icon: choice.icon,
          "aria-pressed": String(choice.value === value),
          "data-key": `${name}-${i}`,
          "data-value": typeof choice.value === "string" ? choice.value : i,
        }),
      ),
    ),
  );
}
