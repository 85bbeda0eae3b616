// The dashboard on a real platform in a real browser, for tests of its screens. Each page records events that must never happen:
// a violation of the content security policy, an error on the console, a request to another host, a missing file.
import { buildDashboard } from "@tradepost/devstack";
import { type Behaviour, type Receiver, startReceiver } from "@tradepost/testing";
import axe from "axe-core";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { openWatchedPage, sharedBrowser } from "../../support/browser.ts";
import { type SharedPlatform, sharedPlatform, type TestTenant } from "../../support/test-platform.ts";
import { see, type Then } from "./user.ts";

export interface Staff {
  readonly email: string;
  readonly password: string;
}

interface DashboardPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails if axe-core finds a fault in the light or the dark theme. */
  expectAccessible(): Promise<void>;
  /** Fails if the page is wider than a small phone. */
  expectFitsPhone(): Promise<void>;
  /** For a page with faults. Other pages are closed after the test. */
  close(): Promise<void>;
}

interface OpenPage extends DashboardPage {
  faults(): string[];
}

interface OpenOptions {
  /** The user to sign in as, by default the owner; null for nobody. */
  readonly as?: Staff | null;
  /** The path below /dashboard. */
  readonly at?: string;
  readonly width?: number;
  readonly height?: number;
}

export type Dashboard = Awaited<ReturnType<typeof startDashboard>>;

/** The size of a small phone, on which every screen is used with the keyboard, too. */
export const PHONE = { width: 360, height: 740 };

// The first wait is long enough to be seen on a busy machine.
const RETRY_SCHEDULE = "20s,50ms,50ms,50ms,50ms,50ms,50ms";

/**
 * A tenant with the dashboard in a browser, for the tests of one file. The files of a worker share the browser, and the platform if
 * they want the same settings. After each test the pages that it has opened are closed, and fail it if something was recorded on
 * them. A test that expects such faults closes its page itself.
 */
export function useDashboard(settings: Record<string, string> = {}): Dashboard {
  const pages = new Set<OpenPage>();
  afterEach(async () => {
    const open = [...pages];
    pages.clear();
    const faults = open.flatMap((page) => page.faults());
    await Promise.all(open.map((page) => page.close()));
    expect(faults).toEqual([]);
  });
  return during(() => startDashboard(settings, pages));
}

/** How a receiver responds, by path; 200 by default. */
export type Behaviours = Record<string, () => ReturnType<Behaviour>>;

/** A receiver of webhooks for the tests of one file. */
export function useReceiver(behaviours: Behaviours = {}): Receiver {
  return during(
    async () => {
      const receiver = await startReceiver();
      receiver.behave(({ path }) => behaviours[path]?.() ?? 200);
      return receiver;
    },
    (receiver) => receiver.stop(),
  );
}

/** Starts something before the tests, and stops it after them. */
function during<Thing extends object>(
  start: () => Promise<Thing>,
  stop: (thing: Thing) => Promise<unknown> = async () => undefined,
): Thing {
  let started: Thing | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    if (started !== undefined) await stop(started);
  });
  return new Proxy({} as Thing, {
    get: (_, name) => {
      if (started === undefined) throw new Error("only in hooks and tests");
      return Reflect.get(started, name);
    },
  });
}

async function startDashboard(settings: Record<string, string>, pages: Set<OpenPage>) {
  const [platform, browser] = await Promise.all([platformWith(settings), sharedBrowser()]);
  const tenant = await platform.createTenant();
  return {
    platform,
    tenant,
    owner: ownerOf(tenant),
    editor: await addStaff(tenant, "editor"),
    addStaff: (role: "viewer" | "admin") => addStaff(tenant, role),
    /** Opens a page, and waits for what then appears. */
    open: async (options: OpenOptions = {}, ...then: Then): Promise<DashboardPage> => {
      const opened = await open(browser, platform.url, { as: ownerOf(tenant), ...options });
      pages.add(opened);
      await see(opened.page, ...then);
      const close = async () => {
        pages.delete(opened);
        await opened.close();
      };
      return { ...opened, close };
    },
  };
}

export function ownerOf({ ownerEmail: email, ownerPassword: password }: TestTenant): Staff {
  return { email, password };
}

async function platformWith(settings: Record<string, string>): Promise<SharedPlatform> {
  return await sharedPlatform({
    DASHBOARD_DIR: await buildDashboard(),
    WEBHOOKS_RETRY_SCHEDULE: RETRY_SCHEDULE,
    ...settings,
  });
}

async function addStaff(tenant: TestTenant, role: "viewer" | "editor" | "admin"): Promise<Staff> {
  const staff = { email: `${role}@${tenant.tenantId}.example`, password: `correct horse ${role} 4711` };
  const { status } = await tenant.owner.post("/v1/users", { ...staff, name: `Ada ${role}`, role });
  expect(status).toBe(201);
  return staff;
}

async function open(browser: Browser, url: string, options: OpenOptions): Promise<OpenPage> {
  const { as, at = "/", width = 1280, height = 800 } = options;
  const watched = await openWatchedPage(browser, url, {
    viewport: { width, height },
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
    ...(as && { storageState: signedIn(url, as) }),
  });
  const { page, context } = watched;
  const missing: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith("/v1/"))
      missing.push(`${response.status()} ${pathname}`);
  });
  if (as) {
    const login = await context.request.post(`${url}/v1/auth/login`, { data: as });
    expect(login.status()).toBe(200);
  }
  await page.goto(`${url}/dashboard${at}`);
  return {
    page,
    context,
    // Chromium also reports each refusal of the API as an error.
    faults: () => [
      ...missing,
      ...watched.faults.filter((fault) => !fault.includes("Failed to load resource")),
    ],
    expectAccessible: () => expectAccessible(page),
    expectFitsPhone: async () => {
      await page.setViewportSize(PHONE);
      await see(page, page.locator("body"));
      await page.setViewportSize({ width, height });
    },
    close: watched.close,
  };
}

/** The state that a browser keeps of a sign-in, without the cookie. */
function signedIn(origin: string, { email }: Staff) {
  return { cookies: [], origins: [{ origin, localStorage: [{ name: "tradepost-session", value: email }] }] };
}

// Without the texts of all styles, which only a rule about the screen's orientation reads.
const ONLY_VIOLATIONS = { resultTypes: ["violations"], preload: false };

/**
 * The page's policy forbids scripts in the page, but not scripts of a debugger. The dark theme differs only in its colours, so
 * only they are checked again.
 */
async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate("window.axe === undefined")) await page.evaluate(axe.source);
  for (const [colorScheme, options] of [
    ["light", ONLY_VIOLATIONS],
    ["dark", { ...ONLY_VIOLATIONS, runOnly: ["color-contrast"] }],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const findings =
      await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target.join(" ")).join(", ")))`);
    const where = new URL(page.url()).pathname;
    expect({ where, colorScheme, findings }).toEqual({ where, colorScheme, findings: [] });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
}

/** Replaces the platform's response to the next request to the path. Returns a function that counts the requests to the path. */
export async function refuseOnce(
  page: Page,
  path: string,
  refusal: { status: number; code: string; retryAfterSeconds?: number; details?: unknown[] },
): Promise<() => number> {
  let requests = 0;
  const { status, code, retryAfterSeconds, details } = refusal;
  await page.route(`**${path}`, async (route) => {
    requests += 1;
    if (requests > 1) return await route.continue();
    await route.fulfill({
      status,
      json: { success: false, error: { code, message: `refused with ${status}`, requestId: "r-1", details } },
      headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    });
  });
  return () => requests;
}

/** Returns what screen readers read when the dialog opens, after its title. */
export async function descriptionOf(dialog: Locator): Promise<string> {
  const ids = (await dialog.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const texts = await Promise.all(ids.map((id) => dialog.locator(`[id="${id}"]`).textContent()));
  return texts.join(" ");
}
