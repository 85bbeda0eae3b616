// The product as `npm start` starts it: the launcher, private servers and four processes. No event is lost when the broker, the
// database and services are killed. Then it starts on the same data as one process, with `--together`.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient, type Tradepost } from "@tradepost/client";
import { runScript, SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { type Receiver, startReceiver, until } from "@tradepost/testing";
import { ALERTS, PROMTOOL, panelExpressions, RULES, WATCHDOG } from "../support/alert-rules.ts";
import {
  type LaunchedPlatform,
  launchPlatform,
  newDataDir,
  removeDataDir,
} from "../support/launch-platform.ts";
import { startListening } from "../support/listen-program.ts";
import { readPrometheus } from "../support/read-prometheus.ts";

const settings = {
  WEBHOOKS_RETRY_SCHEDULE: "200ms,200ms,300ms,300ms,400ms,400ms,500ms",
  // Short, so that the locks of a killed process expire soon, but long enough for a busy machine.
  WEBHOOKS_TIMEOUT_MS: "5000",
  LOG_LEVEL: "warn",
};

/** A program in place of the browser's opener, which writes the address that it gets to a file. */
function pathWithBrowser(dataDir: string): string {
  const folder = path.join(dataDir, "bin");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "xdg-open"), `#!/bin/sh\necho "$1" > '${openedIn(dataDir)}'\n`, {
    mode: 0o755,
  });
  return `${folder}${path.delimiter}${process.env.PATH}`;
}

function openedIn(dataDir: string): string {
  return path.join(dataDir, "opened");
}

// A machine with promtool also has Prometheus.
const hasPrometheus = PROMTOOL !== "";
const testWithPrometheus = hasPrometheus ? test : test.skip;

describe("the product, started as npm start does", () => {
  const dataDir = newDataDir();
  let platform: LaunchedPlatform;
  let receiver: Receiver;
  let owner: Tradepost;
  let key: Tradepost;
  const connect = async () => {
    const { gatewayUrl: url, demo } = platform.now();
    const login = { email: demo.ownerEmail, password: demo.ownerPassword };
    const session = await createClient({ url }).auth.login(login);
    if ("secondFactor" in session) throw new Error("the owner has a second factor");
    owner = createClient({ url, token: session.token });
    key = createClient({ url, apiKey: demo.apiKey });
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    const options = ["--open", ...(hasPrometheus ? ["--observability"] : [])];
    platform = await launchPlatform({ ...settings, PATH: pathWithBrowser(dataDir) }, dataDir, options);
    await connect();
  }, 600_000);

  afterAll(async () => {
    await platform?.stop();
    await receiver.stop();
    removeDataDir(dataDir);
  });

  async function subscribe(path: string, event: "redirect.added") {
    const subscription = { name: path, url: `${receiver.url}${path}`, events: [event] };
    return await owner.subscriptions.create(subscription);
  }

  testWithPrometheus(
    "with --observability Prometheus scrapes every process, has the rules, and finds every metric that they and the dashboards name (with Prometheus)",
    async () => {
      const url = platform.now().prometheus?.url ?? "";
      expect(platform.output()).toContain(`Prometheus, with the alerts: ${url}`);
      const prometheus = readPrometheus(url);
      const scraped = () => prometheus.targets();
      await until("every process to be scraped", async () => {
        const targets = await scraped();
        return targets.length > 0 && targets.every(({ health }) => health === "up");
      });
      const services = (await scraped()).map(({ labels }) => labels.service);
      expect(services.toSorted()).toEqual(["content", "gateway", "orders", "webhooks"]);
      expect(await prometheus.alerts()).toEqual(
        [...new Set([...ALERTS.map(({ alert }) => alert), WATCHDOG])].toSorted(),
      );
      // Sends a request, so that there is something to measure.
      await key.me.get();
      const expressions = [...RULES.map(({ expr }) => expr), ...panelExpressions()];
      const recorded = RULES.flatMap((rule) => ("record" in rule ? [rule.record] : []));
      await until(
        "a scrape after that",
        async () => (await prometheus.unknown(expressions, recorded)).length === 0,
      );
      expect(await prometheus.unknown(["absent(nothing)", 'up{service="no such"}'], recorded)).toEqual([
        "nothing",
        "up: no such",
      ]);
    },
  );

  // Only Linux has an opener that a test can replace.
  (process.platform === "linux" ? test : test.skip)(
    "opens its last line, a link that signs the demo's owner in once",
    async () => {
      const { gatewayUrl, demo } = platform.now();
      const link = platform.output().match(/\nready \S+\n\n.*: (\S+)\n/)?.[1] ?? "";
      expect(link).toMatch(`${gatewayUrl}/dashboard/sign-in-link?token=`);
      await until("the browser", () => existsSync(openedIn(dataDir)));
      expect(readFileSync(openedIn(dataDir), "utf8")).toBe(`${link}\n`);
      const follow = () => fetch(link, { redirect: "manual" });
      const [cookie = ""] = (await follow()).headers.getSetCookie();
      const headers = { cookie: cookie.split(";", 1)[0] ?? "" };
      const refreshed = await fetch(`${gatewayUrl}/v1/auth/refresh`, { method: "POST", headers });
      const { token } = ((await refreshed.json()) as { data: { token: string } }).data;
      expect(await createClient({ url: gatewayUrl, token }).me.get()).toMatchObject({
        actor: { role: "owner" },
        tenant: { id: demo.tenantId },
      });
      expect((await follow()).headers.getSetCookie()).toEqual([]);
    },
  );

  /** As a user does: the command finds the platform in the data directory. */
  async function operate(words: string) {
    const ran = await runScript("tools/ops/src/ops.ts", words.split(" "), { TRADEPOST_DATA_DIR: dataDir });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const secrets = readFileSync(path.join(dataDir, "secrets.json"), "utf8").match(/[\w+/=-]{32,}/g);
    expect(secrets?.filter((secret) => ran.stdout.includes(secret))).toEqual([]);
    return ran;
  }

  test("describes itself in stack.json", async () => {
    const { gatewayUrl, demo, processes, infrastructure, pid } = platform.now();
    expect(platform.output()).toContain(`\nready ${gatewayUrl}\n`);
    expect(platform.output()).toContain(
      `Dashboard: ${gatewayUrl}/dashboard\n  Sign in as the demo's owner: ${demo.ownerEmail}  ${demo.ownerPassword}\n`,
    );
    expect((await fetch(`${gatewayUrl}/dashboard`)).headers.get("content-security-policy")).toContain(
      "script-src 'self'",
    );
    expect(pid).toBeGreaterThan(1);
    expect(Object.keys(processes).sort()).toEqual(["content", "gateway", "orders", "webhooks"]);
    expect(infrastructure.postgres.pid).toBeGreaterThan(1);
    expect(infrastructure.rabbitmq.pid).toBeGreaterThan(1);
    const me = await key.me.get();
    expect(me).toMatchObject({
      actor: { type: "api_key", role: "editor" },
      tenant: { id: demo.tenantId, slug: "demo", modules: ["content", "crm"] },
    });
    expect(me.actor).toHaveProperty("scopes.length", 5);
  });

  test("the operator's commands find the settings of its processes", async () => {
    expect((await operate("doctor")).stdout).toMatch(/\nNothing to do\.\n$/);
    const configs = JSON.parse((await operate("config --json")).stdout);
    expect(configs).toMatchObject(
      SERVICES.map((service) => ({
        ...{ service, of: `process ${platform.now().processes[service][0]?.pid}`, unknown: [] },
      })),
    );
  });

  test("the demo succeeds", async () => {
    const demo = await runScript("tools/demo/src/demo.ts", [], { TRADEPOST_DATA_DIR: dataDir });
    expect(demo).toMatchObject({ code: 0, stderr: "" });
    expect(demo.stdout).toContain("The signature verifies over the raw bytes.");
    expect(demo.stdout).toContain("Attempt 2 arrived with the same X-service-Delivery");
  });

  test("a delivery that failed eight times can be redriven by the operator", async () => {
    const { id } = await subscribe("/down", "redirect.added");
    receiver.behave(({ path }) => (path === "/down" ? 500 : 200));
    await key.redirects.create({ from: "/down", to: "/new" });
    const [letter] = await until("the dead letter", async () => {
      const letters = (await platform.ops("dead", "list", "--subscription", id)) as { deliveryId: string }[];
      return letters.length > 0 && letters;
    });
    const deliveryId = letter?.deliveryId ?? "";
    expect(receiver.received.filter(({ path }) => path === "/down")).toHaveLength(8);
    receiver.behave(() => 200);
    expect(await platform.ops("dead", "redrive", "--delivery", deliveryId)).toEqual({
      matched: 1,
      redriven: 1,
    });
    await until("the delivery", async () => (await key.deliveries.get(deliveryId)).status === "delivered");
    await owner.subscriptions.delete(id);
  });

  test("no event is lost when the broker, the database and services are killed", async () => {
    const { id } = await subscribe("/chaos", "redirect.added");
    await using local = await startReceiver(null);
    // Uses the demo tenant of the running platform, as `npm run listen` does.
    const listening = startListening(
      { TRADEPOST_DATA_DIR: dataDir, XDG_STATE_HOME: mkdtempSync(path.join(tmpdir(), "tradepost-state-")) },
      ...["--forward-to", local.url, "--events", "redirect.added", "--delete"],
    );
    await listening.ready();
    const acknowledged = new Set<string>();
    let isOver = false;
    const traffic = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const redirect = { from: `/chaos/${count}`, to: "/new" };
        const added = await key.redirects.create(redirect).catch(() => undefined);
        if (added !== undefined) acknowledged.add(added.id);
        await sleep(100);
      }
    })();
    await platform.killAndWait(({ processes }) => processes.webhooks[0]?.pid);
    await platform.killAndWait(({ infrastructure }) => infrastructure.rabbitmq.pid);
    await platform.killAndWait(({ processes }) => processes.content[0]?.pid);
    await platform.killAndWait(({ infrastructure }) => infrastructure.postgres.pid);
    await platform.killAndWait(({ processes }) => processes.gateway[0]?.pid);
    isOver = true;
    await traffic;

    expect(acknowledged.size).toBeGreaterThan(20);
    const missing = (hooks: readonly { body: Buffer }[]) => {
      const arrived = new Set(hooks.map(({ body }) => JSON.parse(body.toString()).data.redirect.id));
      return [...acknowledged].filter((redirect) => !arrived.has(redirect));
    };
    const sent = () => receiver.received.filter(({ path }) => path === "/chaos");
    await until("every acknowledged redirect's webhook", () => missing(sent()).length === 0);
    // A delivery whose lease was lost is leased again after 30 seconds.
    await until("every one to be forwarded by the listener", () => missing(local.received).length === 0);
    expect(await listening.end()).toBe(0);
    await owner.subscriptions.delete(id);
  }, 600_000);

  test("prints a notice that opens, once, also after Postgres has died", async () => {
    const { id } = await owner.subscriptions.create({
      ...{ name: "Refuses", url: "https://127.0.0.1:9/secret", events: ["redirect.added"] },
    });
    await platform.killAndWait(({ infrastructure }) => infrastructure.postgres.pid);
    await key.redirects.create({ from: "/refused", to: "/new" });
    const printed = () =>
      platform
        .output()
        .split("\n")
        .filter((line) => line.includes("Refuses"));
    await until("the delivery to have failed", () =>
      printed().some((line) => line.startsWith("Notice delivery_failed, ")),
    );
    expect(printed()).toEqual([
      "Notice endpoint_failing, Refuses (127.0.0.1:9): Each delivery is tried again on schedule; after an hour without a success only one delivery at a time is tried, and the others wait.",
      "Notice delivery_failed, Refuses (127.0.0.1:9): These deliveries are not tried again by themselves; redeliver them, or recover what failed once the endpoint works.",
    ]);
    await owner.subscriptions.delete(id);
  });

  test("a second start on the same port or data directory is refused", async () => {
    const { gatewayUrl } = platform.now();
    const port = new URL(gatewayUrl).port;
    const otherDataDir = newDataDir();
    const start = "tools/devstack/src/start.ts";
    const samePort = await runScript(start, [], { PORT: port, TRADEPOST_DATA_DIR: otherDataDir });
    expect(samePort).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use`) });
    const sameData = await runScript(start, [], { PORT: "0", TRADEPOST_DATA_DIR: dataDir });
    expect(sameData).toMatchObject({ code: 1, stderr: expect.stringContaining(String(platform.now().pid)) });
    expect((await key.me.get()).tenant.slug).toBe("demo");
    removeDataDir(otherDataDir);
  });

  test("stops cleanly and keeps its data", async () => {
    const before = platform.now();
    const number = await lastOrderNumber(key, platform);
    expect(JSON.parse((await operate("verify --json")).stdout)).toMatchObject({ ok: true, faults: [] });
    expect(await platform.stop()).toBe(0);
    const pids = [before.pid, before.infrastructure.postgres.pid, before.infrastructure.rabbitmq.pid];
    for (const pid of [...pids, ...Object.values(before.processes).flatMap(([one]) => one?.pid ?? [])]) {
      expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
    }
    platform = await launchPlatform(settings, dataDir, ["--together"]);
    expect(platform.now().demo).toEqual(before.demo);
    await connect();
    expect(await lastOrderNumber(key, platform)).toBe(number + 1);
  }, 600_000);

  test("started with --together, is one process with the address of each service", async () => {
    expect((await operate("doctor")).stdout).toMatch(/\nNothing to do\.\n$/);
    const replicas = Object.values(platform.now().processes).flat();
    expect(new Set(replicas.map(({ pid }) => pid)).size).toBe(1);
    expect(new Set(replicas.map(({ url }) => url)).size).toBe(4);
  });

  test("loses nothing when this process is killed", async () => {
    await subscribe("/together", "redirect.added");
    const added: string[] = [];
    for (let number = 1; number <= 20; number += 1)
      added.push((await key.redirects.create({ from: `/killed-${number}`, to: "/new" })).id);
    await platform.killAndWait(({ processes }) => processes.webhooks[0]?.pid);
    const delivered = () =>
      receiver.received
        .filter(({ path }) => path === "/together")
        .map(({ body }) => JSON.parse(body.toString()).data.redirect.id);
    await until("every webhook", () => added.every((id) => delivered().includes(id)));
    expect(await platform.ops("verify")).toMatchObject({ ok: true, faults: [] });
    expect(await platform.stop()).toBe(0);
  }, 600_000);
});

test("a TARGET that names no service is refused", async () => {
  const { code, stderr } = await runScript("tools/together/src/main.ts", [], { TARGET: "orders,crm" });
  expect([code, stderr.trim()]).toEqual([
    1,
    'TARGET must be "all" or some of gateway, orders, content, webhooks, separated by commas.',
  ]);
});

/** Places an order and returns its number. */
async function lastOrderNumber(key: Tradepost, platform: LaunchedPlatform): Promise<number> {
  const { customerId } = platform.now().demo;
  const { orderNumber } = await key.orders.place({ customerId, items: [{ sku: "A", name: "A" }] });
  return Number(orderNumber);
}
