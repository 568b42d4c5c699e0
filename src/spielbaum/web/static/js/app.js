/** The app: which screen is shown, in which language, and what a kiosk does when nobody is there. */

/** @import * as T from "./types.js" */
import { getConfig, Refused } from "./api.js";
import { button, fill, h, icon } from "./dom.js";
import { watchIdle } from "./parts/idle.js";
import { reasonOf } from "./reasons.js";
import { analysisScreen } from "./screens/analysis.js";
import { attractScreen } from "./screens/attract.js";
import { playScreen } from "./screens/play.js";
import { rulesScreen } from "./screens/rules.js";
import { setupScreen } from "./screens/setup.js";
import { startScreen } from "./screens/start.js";
import { closeSession } from "./session.js";
import { currentLanguage, firstLanguage, setLanguage, t } from "./words.js";

/**
 * What every screen gets. It draws into `host` and may answer with a function that cleans up after it.
 * @typedef {object} App
 * @property {T.Config} config
 * @property {HTMLElement} host
 * @property {(path: string) => void} go
 * @property {(...right: import("./dom.js").Child[]) => HTMLElement} bar  the bar at the top of a page
 * @property {() => Node} languageButton
 */
/** @typedef {(app: App, ...parts: string[]) => void | (() => void) | Promise<void | (() => void)>} Screen */

/** @type {Record<string, Screen>} */
const SCREENS = { setup: setupScreen, play: playScreen, analysis: analysisScreen, rules: rulesScreen };
const RETRY = 3000;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {void | (() => void)} */
let cleanUp;
let visits = 0;

/** @param {T.Config} config */
function run(config) {
  setLanguage(firstLanguage(config.kiosk !== null));
  /** @param {string} path */
  function go(path) {
    if (location.hash === path) void show();
    else location.hash = path;
  }

  function languageButton() {
    const other = currentLanguage() === "de" ? "en" : "de";
    return button(t("language"), () => (setLanguage(other), void show()), {
      class: "quiet language",
      lang: other,
      "data-key": "language",
    });
  }

  /** @param {import("./dom.js").Child[]} right */
  function bar(...right) {
    const brand = h(
      "a",
      { href: "#/", class: "brand" },
      h("img", { src: "icon.svg", alt: "" }),
      h("span", null, "Spielbaum"),
    );
    return h(
      "header",
      { class: "bar" },
      config.kiosk ? kioskBack() : brand,
      h("div", { class: "bar-right" }, right, languageButton()),
    );
  }

  const kioskBack = () => button(t("start"), () => go("#/"), { class: "quiet", icon: "back" });

  async function show() {
    const visit = ++visits;
    cleanUp?.();
    cleanUp = undefined;
    document.title = "Spielbaum";
    scrollTo(0, 0);
    document.querySelectorAll("dialog").forEach((left) => left.remove());
    const [name, ...parts] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
    const screen = name === undefined ? (config.kiosk ? attractScreen : startScreen) : (SCREENS[name] ?? missing);
    if (name !== "play" && name !== undefined) closeSession();
    const host = h("div", { class: "screen" }); // of its own: whoever comes too late draws where nobody looks
    const cleaned = await Promise.resolve(screen({ config, host, go, bar, languageButton }, ...parts)).catch((error) =>
      failed(error, host),
    );
    if (visit !== visits) return cleaned?.();
    cleanUp = cleaned;
    fill(root, host);
    if (document.activeElement === document.body) focusContent();
  }

  /** @param {unknown} error @param {HTMLElement} host */
  function failed(error, host) {
    if (!(error instanceof Refused)) throw error;
    fill(
      host,
      bar(),
      h(
        "main",
        { class: "page", id: "content" },
        h("p", { class: "lead" }, reasonOf(error)),
        h("a", { href: "#/", class: "button" }, t("backToStart")),
      ),
    );
  }

  addEventListener("hashchange", () => void show());
  if (config.kiosk) beKiosk(config, go);
  void show();
}

/** Reading and keys begin at the content of a new page. */
function focusContent() {
  const content = document.getElementById("content");
  content?.setAttribute("tabindex", "-1");
  content?.focus({ preventScroll: true });
}

/** @type {Screen} */
function missing(app) {
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page" },
      h("p", { class: "lead" }, t("notFound")),
      h("a", { href: "#/", class: "button" }, icon("back"), t("backToStart")),
    ),
  );
}

/**
 * No way out, nothing to select, and back to the start when nobody has touched anything for a while.
 * @param {T.Config} config
 * @param {(path: string) => void} go
 */
function beKiosk(config, go) {
  document.documentElement.classList.add("kiosk");
  for (const name of ["contextmenu", "selectstart", "dragstart"])
    addEventListener(name, (event) => event.preventDefault());
  const isAway = () => location.hash.replace(/^#\/?/, "") !== "";
  watchIdle(config.idle, isAway, () => {
    setLanguage("de");
    go("#/");
  });
  addEventListener("pointerup", () => void document.documentElement.requestFullscreen?.().catch(() => {}), {
    once: true,
  });
}

async function boot() {
  try {
    run(await getConfig());
  } catch {
    setLanguage(firstLanguage(false));
    fill(root, h("main", { class: "page" }, h("p", { class: "lead" }, t("offline"))));
    setTimeout(boot, RETRY);
  }
}

void boot();
