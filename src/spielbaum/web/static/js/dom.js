/**
 * A tiny view helper: elements from nested calls, nothing kept behind the scenes.
 *
 * `h("button", {class: "quiet", onclick: go}, "Go")` is all there is to it. Parts of the page that change
 * are either rebuilt by `fill`, or keep a reference to the element they change.
 */

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, any>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Properties that begin with `on` are listeners, true and false are set or left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  return dress(document.createElement(tag), props, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props | null} [props]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props, ...children) {
  return dress(/** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag)), props, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Props | null | undefined} props
 * @param {Child[]} children
 * @returns {E}
 */
function dress(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return /** @type {any[]} */ (children).flat(Infinity).flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return [typeof child === "number" ? String(child) : child];
  });
}

/** @type {Node | null} what a pointer holds down just now */
let pressed = null;
/** @type {Map<Element, Child[]>} */
const postponed = new Map();

function release() {
  pressed = null;
  const waiting = [...postponed];
  postponed.clear();
  for (const [host, children] of waiting) fill(host, ...children);
}

addEventListener("pointerdown", (event) => (pressed = /** @type {Node} */ (event.target)), true);
addEventListener("click", release, true);
addEventListener("pointercancel", release, true);
addEventListener("pointerup", () => setTimeout(release), true);

/** @type {{host: Element, key: string} | null} what had the focus when it went away; it gets it back when it returns */
let lost = null;

/**
 * Give an element other children. Focus stays on the element with the same `data-key`, also when it is not there for a
 * while or can't be pressed; meanwhile it is on the page's content, unless somebody takes it elsewhere. While a pointer is down on
 * one of the old children they stay: a button that is replaced between press and release would never be clicked.
 * @param {Element} host
 * @param {Child[]} children
 */
export function fill(host, ...children) {
  if (pressed && host !== pressed && host.contains(pressed)) return void postponed.set(host, children);
  postponed.delete(host);
  const focused = host.contains(document.activeElement) ? document.activeElement : null;
  const isAwaited = lost?.host === host && [null, document.body, content()].includes(activeElement());
  const key = focused?.getAttribute("data-key") ?? (isAwaited ? lost?.key : null);
  host.replaceChildren(...nodes(children));
  const again = key && host.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  if (again) {
    lost = null;
    /** @type {HTMLElement} */ (again).focus();
  } else if (focused) lose(host, key ?? null);
}

/** @param {Element} host @param {string | null} key */
function lose(host, key) {
  lost = key ? { host, key } : null;
  content()?.focus({ preventScroll: true });
}

/** Let nobody press the buttons of an element until it is filled anew. @param {Element} host */
export function disableButtons(host) {
  const focused = host.contains(activeElement()) ? activeElement() : null;
  for (const button of host.querySelectorAll("button")) button.disabled = true;
  if (focused) lose(host, focused.getAttribute("data-key"));
}

const activeElement = () => /** @type {HTMLElement | null} */ (document.activeElement);

/** The main part of the page, where reading begins. */
export const content = () => document.getElementById("content");

/**
 * A button with a text and, if wanted, an icon in front of it.
 * @param {string} label
 * @param {() => void} press
 * @param {Props & {icon?: string}} [props]
 */
export function button(label, press, { icon: name, ...props } = {}) {
  return h(
    "button",
    { type: "button", onclick: press, "aria-label": label || undefined, ...props },
    name && icon(name),
    h("span", null, label),
  );
}

const ICONS = {
  back: "M15 5l-7 7 7 7",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 010 12",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 00-4 10c1 1 1 2 1 3h6c0-1 0-2 1-3a6 6 0 00-4-10z",
  restart: "M20 11a8 8 0 10-2.3 6.3M20 5v6h-6",
  leave: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  rules: "M5 4h11a3 3 0 013 3v13H8a3 3 0 01-3-3zM9 9h6M9 13h6",
  flag: "M6 21V4M6 5h11l-3 4 3 4H6",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  thoughts: "M12 4v5M12 9L6 14M12 9l6 5M6 14v6M18 14v6M12 9v11",
  first: "M18 5l-8 7 8 7M7 5v14",
  last: "M6 5l8 7-8 7M17 5v14",
  next: "M9 5l7 7-7 7",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6L6 18",
  person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 4-7 8-7s7 2 8 7",
  people:
    "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2 20c.6-4.5 3.3-6.5 7-6.5s6.4 2 7 6.5M16 4.5a3.5 3.5 0 010 6.3M18.5 14.5c2 .9 3.2 2.8 3.5 5.5",
  watch: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 15a3 3 0 100-6 3 3 0 000 6z",
  analysis: "M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L21 21",
};

/**
 * @param {string} name
 */
export function icon(name) {
  const path = svg("path", { d: ICONS[/** @type {keyof typeof ICONS} */ (name)] });
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}
