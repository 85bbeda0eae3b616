// A real browser for tests of pages, and a page that records everything that must not happen.
import { spawnSync } from "node:child_process";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";

const CHROMIUM = process.env.TEST_CHROMIUM;

/** `describe` for tests that need a browser. Without a browser they are skipped, and `npm test` says so. */
export const describeWithBrowser = CHROMIUM ? describe : describe.skip;

let shared: Promise<Browser> | undefined;

/** Resolves with the browser that `npm test` provides. The test files of a worker share it, until the worker ends. */
export function sharedBrowser(): Promise<Browser> {
  if (!CHROMIUM) throw new Error("there is no browser");
  shared ??= chromium.launch({ executablePath: CHROMIUM, chromiumSandbox: canSandbox() });
  return shared;
}

/** Reports whether Chromium can use its sandbox, which needs user namespaces and is not available to root. */
function canSandbox(): boolean {
  if (process.platform !== "linux") return true;
  return process.getuid?.() !== 0 && spawnSync("unshare", ["--user", "--map-root-user", "true"]).status === 0;
}

// In ms; only for a page that hangs. A machine at full load stays below it.
const TIMEOUT_MS = 120_000;

export type WatchedPage = Awaited<ReturnType<typeof openWatchedPage>>;

/** Opens a page in a new context without cookies. It may send requests only to `origin`. */
export async function openWatchedPage(browser: Browser, origin: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  /** Violations of the content security policy, errors on the console, exceptions, and requests to other origins. */
  const faults: string[] = [];
  page.on("console", (message) => {
    // Chromium also reports each violation of a policy here.
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:" && url.protocol !== "blob:") {
      faults.push(`request to ${url.origin}`);
    }
  });
  const close = async () => {
    // A request that the page repeats may be in a route that a test added.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  };
  return { page, context, faults, close };
}
