/** The app: which screen is shown, in which language, and what a kiosk does when nobody is there. */

/** @import * as T from "./types.js" */
import { getConfig, Refused } from "./api.js";
import { button, content, fill, h, icon } from "./dom.js";
import { reasonOf } from "./reasons.js";
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

/** @type {Record<string, () => Promise<Screen>>} each is loaded when it is first shown, or when there is time */
const SCREENS = {
  start: async () => (await import("./screens/start.js")).startScreen,
  attract: async () => (await import("./screens/attract.js")).attractScreen,
  setup: async () => (await import("./screens/setup.js")).setupScreen,
  play: async () => (await import("./screens/play.js")).playScreen,
  analysis: async () => (await import("./screens/analysis.js")).analysisScreen,
  rules: async () => (await import("./screens/rules.js")).rulesScreen,
  tuning: async () => (await import("./screens/tuning.js")).tuningScreen,
  training: async () => (await import("./screens/training.js")).trainingScreen,
  stage: async () => (await import("./screens/stage.js")).stageScreen,
};
const LIKELY = ["setup", "play", "rules"]; // after the first screen
const NAME = "Spielbaum";
const RETRY = 3000;
const LEISURE = 1000; // ms after the first screen
const ICON = new URL("../icon.svg", import.meta.url).href;

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
      h("img", { src: ICON, alt: "" }),
      h("span", null, NAME),
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
    scrollTo(0, 0);
    document.querySelectorAll("dialog").forEach((left) => left.remove());
    const [name, ...parts] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
    const wanted = name ?? (config.kiosk ? "attract" : config.home);
    if (name !== "play" && name !== undefined) closeSession();
    const host = h("div", { class: "screen" }); // of its own: whoever comes too late draws where nobody looks
    const cleaned = await load(wanted)
      .then((screen) => screen({ config, host, go, bar, languageButton }, ...parts))
      .catch((error) => failed(error, host));
    if (visit !== visits) return cleaned?.();
    cleanUp = cleaned;
    fill(root, host);
    const title = host.querySelector("h1")?.textContent;
    document.title = title && title !== NAME ? `${title} · ${NAME}` : NAME;
    if (document.activeElement === document.body) focusContent();
    if (visit === 1) setTimeout(loadLikely, LEISURE);
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
        h("h1", { class: "lead" }, reasonOf(error)),
        h("a", { href: "#/", class: "button" }, t("backToStart")),
      ),
    );
  }

  addEventListener("hashchange", () => void show());
  if (config.kiosk) beKiosk(config, go);
  void show();
}

/**
 * The code of a screen. A page from before the server was renewed does not find it under its old name and loads itself
 * anew.
 * @param {string} name
 * @returns {Promise<Screen>}
 */
async function load(name) {
  if (!Object.hasOwn(SCREENS, name)) return missing;
  try {
    return await SCREENS[name]();
  } catch (error) {
    await getConfig();
    const [{ type }] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (type === "reload") throw error;
    location.reload();
    return () => {};
  }
}

/** Load what the likely next screens need while nobody waits for it: they open at once, without a connection too. */
function loadLikely() {
  for (const name of LIKELY) void SCREENS[name]().catch(() => {});
}

/** Reading and keys begin at the content of a new page. */
function focusContent() {
  content()?.setAttribute("tabindex", "-1");
  content()?.focus({ preventScroll: true });
}

/** @type {Screen} */
function missing(app) {
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page", id: "content" },
      h("h1", { class: "lead" }, t("notFound")),
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
  const leave = () => (setLanguage("de"), go("#/"));
  void import("./parts/idle.js").then(({ watchIdle }) => watchIdle(config.idle, isAway, leave));
  addEventListener("pointerup", () => void document.documentElement.requestFullscreen?.().catch(() => {}), {
    once: true,
  });
}

async function boot() {
  try {
    run(await getConfig());
  } catch {
    setLanguage(firstLanguage(false));
    fill(root, h("main", { class: "page" }, h("h1", { class: "lead" }, t("offline"))));
    setTimeout(boot, RETRY);
  }
}

void boot();
