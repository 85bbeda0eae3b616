// The product as `npm start` starts it: the launcher, private servers and four processes. No event is lost when the broker,
// the database and services are killed.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import {
  type ApiClient,
  apiClient,
  bearer,
  captureMessages,
  type Receiver,
  startReceiver,
  testCertificate,
  until,
} from "@tradepost/testing";
import pg from "pg";
import { Webhook } from "standardwebhooks";
import {
  type LaunchedPlatform,
  launchPlatform,
  newDataDir,
  removeDataDir,
} from "./support/launch-platform.ts";

const settings = {
  WEBHOOKS_RETRY_SCHEDULE: "200ms,200ms,300ms,300ms,400ms,400ms,500ms",
  // Short, so that the locks of a killed process expire soon; long enough for a busy machine.
  WEBHOOKS_TIMEOUT_MS: "5000",
  LOG_LEVEL: "warn",
};

describe("the product, started as npm start does", () => {
  const dataDir = newDataDir();
  let platform: LaunchedPlatform;
  let receiver: Receiver;
  let owner: ApiClient;
  let key: ApiClient;

  beforeAll(async () => {
    receiver = await startReceiver(await testCertificate());
    platform = await launchPlatform(settings, dataDir);
    ({ owner, key } = await callers(platform));
  }, 600_000);

  afterAll(async () => {
    await platform?.stop();
    await receiver.stop();
    removeDataDir(dataDir);
  });

  async function subscribe(path: string, event: string) {
    const { body } = await owner.post("/v1/webhooks/subscriptions", {
      name: path,
      url: `${receiver.url}${path}`,
      events: [event],
    });
    return body.data as { id: string; signingSecret: string };
  }

  test("describes itself in stack.json", async () => {
    const { gatewayUrl, demo, processes, infrastructure, pid } = platform.now();
    expect(platform.output()).toContain(`\nready ${gatewayUrl}\n`);
    expect(pid).toBeGreaterThan(1);
    expect(Object.keys(processes).sort()).toEqual(["content", "gateway", "orders", "webhooks"]);
    expect(infrastructure.postgres.pid).toBeGreaterThan(1);
    expect(infrastructure.rabbitmq.pid).toBeGreaterThan(1);
    const me = await key.get("/v1/me");
    expect(me.body.data).toMatchObject({
      actor: { type: "api_key", role: "editor" },
      tenant: { id: demo.tenantId, slug: "demo", modules: ["content", "crm"] },
    });
    expect(me.body.data.actor.scopes).toHaveLength(5);
  });

  test("an order is committed and its event published", async () => {
    const captured = await captureMessages(platform.now().amqpUrl, "order.placed");
    const placed = await key.post("/v1/orders", {
      customerId: platform.now().demo.customerId,
      items: [{ sku: "MUG-1", name: "Mug", quantity: 3, unitPrice: 19.99 }],
    });
    expect(placed.status).toBe(201);
    expect(placed.body.data).toMatchObject({ orderNumber: "1001", total: 59.97 });
    const message = await until("order.placed", () => captured.messages[0]);
    expect(JSON.parse(message.content.toString()).data.order.id).toBe(placed.body.data.id);
    await captured.stop();
  });

  test("a redirect's webhook verifies over its raw bytes", async () => {
    const { id, signingSecret } = await subscribe("/story", "redirect.added");
    const added = await key.post("/v1/redirects", { from: "/story", to: "/new" });
    const hook = await receiver.waitFor("the webhook", ({ path }) => path === "/story");
    const signature = createHmac("sha256", signingSecret).update(hook.body).digest("hex");
    expect(hook.headers["x-service-signature"]).toBe(`sha256=${signature}`);
    const verified = new Webhook(signingSecret).verify(
      hook.body.toString(),
      hook.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ type: "redirect.added", data: { redirect: added.body.data } });
    await owner.delete(`/v1/webhooks/subscriptions/${id}`);
  });

  test("the demo succeeds", async () => {
    const demo = await runScript("tools/demo/src/demo.ts", [], { TRADEPOST_DATA_DIR: dataDir });
    expect(demo).toMatchObject({ code: 0, stderr: "" });
    expect(demo.stdout).toContain("The signature verifies over the raw bytes.");
    expect(demo.stdout).toContain("Attempt 2 arrived with the same X-service-Delivery");
  });

  test("a storefront, an ERP and a search index agree with the databases after every service was restarted", async () => {
    const before = Object.values(platform.now().processes).map(([process]) => process?.pid);
    const demo = await runScript("tools/demo/src/demo.ts", ["integrator"], { TRADEPOST_DATA_DIR: dataDir });
    expect(demo).toMatchObject({ code: 0, stderr: "" });
    expect(demo.stdout.match(/, 0 differences$/gm)).toHaveLength(3);
    const after = Object.values(platform.now().processes).map(([process]) => process?.pid);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  test("a delivery that failed eight times can be redriven by the operator", async () => {
    const { id } = await subscribe("/down", "redirect.added");
    receiver.behave(({ path }) => (path === "/down" ? 500 : 200));
    await key.post("/v1/redirects", { from: "/down", to: "/new" });
    // Before the operator's commands, each of which starts a process.
    await receiver.waitFor(
      "the last attempt",
      ({ path, headers }) => path === "/down" && headers["x-service-attempt"] === "8",
    );
    const [letter] = await until("the dead letter", async () => {
      const letters = (await platform.ops("dead", "list", "--subscription", id)) as { deliveryId: string }[];
      return letters.length > 0 && letters;
    });
    const deliveryId = letter?.deliveryId ?? "";
    const { body } = await key.get(`/v1/webhooks/deliveries/${deliveryId}`);
    expect(body.data).toMatchObject({ status: "failed", attemptCount: 8 });
    expect(receiver.received.filter(({ path }) => path === "/down")).toHaveLength(8);
    await until("the dead letter in its queue", async () => (await readyIn(platform, "webhooks.dead")) === 1);

    receiver.behave(() => 200);
    expect(await platform.ops("dead", "redrive", "--delivery", deliveryId)).toEqual({
      matched: 1,
      redriven: 1,
    });
    await until("the delivery", async () => {
      const delivery = await key.get(`/v1/webhooks/deliveries/${deliveryId}`);
      return delivery.body.data.status === "delivered";
    });
    await until("an empty dead queue", async () => (await readyIn(platform, "webhooks.dead")) === 0);
    await owner.delete(`/v1/webhooks/subscriptions/${id}`);
  });

  test("no event is lost when the broker, the database and services are killed", async () => {
    const { id } = await subscribe("/chaos", "redirect.added");
    const acknowledged = new Set<string>();
    let isOver = false;
    const traffic = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const response = await key
          .post("/v1/redirects", { from: `/chaos/${count}`, to: "/new" })
          .catch(() => undefined);
        if (response?.status === 201) acknowledged.add(response.body.data.id);
        await sleep(20);
      }
    })();
    await platform.killAndWait(({ processes }) => processes.webhooks[0]?.pid);
    await platform.killAndWait(({ infrastructure }) => infrastructure.rabbitmq.pid);
    await platform.killAndWait(({ processes }) => processes.content[0]?.pid);
    await platform.killAndWait(({ infrastructure }) => infrastructure.postgres.pid);
    await platform.killAndWait(({ processes }) => processes.gateway[0]?.pid);
    isOver = true;
    await traffic;

    expect(acknowledged.size).toBeGreaterThan(50);
    const missing = () => {
      const arrived = new Set(
        receiver.received
          .filter(({ path }) => path === "/chaos")
          .map(({ body }) => JSON.parse(body.toString()).data.redirect.id),
      );
      return [...acknowledged].filter((redirect) => !arrived.has(redirect));
    };
    await until("every acknowledged redirect's webhook", () => missing().length === 0);
    await owner.delete(`/v1/webhooks/subscriptions/${id}`);
  }, 600_000);

  test("orders are accepted while the broker is down, and published afterwards", async () => {
    const capture = async () => await captureMessages(platform.now().amqpUrl, "order.placed");
    const pid = platform.now().infrastructure.rabbitmq.pid ?? 0;
    process.kill(pid, "SIGKILL");
    const placed = await key.post("/v1/orders", {
      customerId: platform.now().demo.customerId,
      items: [{ sku: "A", name: "A" }],
    });
    expect(placed.status).toBe(201);
    await until(
      "the broker",
      async () => (await capture().catch(() => null))?.stop().then(() => true) ?? false,
    );
    const database = new pg.Client({ connectionString: platform.now().databases.orders });
    await database.connect();
    await until("an empty outbox", async () => (await database.query("select from outbox")).rowCount === 0);
    await database.end();
    const outboxes = (await platform.ops("outbox")) as { service: string; pending: number }[];
    expect(outboxes.find(({ service }) => service === "orders")?.pending).toBe(0);
  }, 600_000);

  test("a service that freezes is restarted", async () => {
    const frozen = platform.now().processes.orders[0]?.pid ?? 0;
    process.kill(frozen, "SIGSTOP");
    await until("the launcher to notice", () =>
      platform.output().includes("orders did not respond to /healthz for 15 s; restarting."),
    );
    await until("another process in its place", () => {
      const pid = platform.now().processes.orders[0]?.pid;
      return typeof pid === "number" && pid !== frozen;
    });
    const order = { customerId: platform.now().demo.customerId, items: [{ sku: "A", name: "A" }] };
    await until("orders to be taken", async () => (await key.post("/v1/orders", order)).status === 201);
  }, 600_000);

  test("a second start on the same port or data directory is refused", async () => {
    const { gatewayUrl } = platform.now();
    const port = new URL(gatewayUrl).port;
    const otherDataDir = newDataDir();
    const start = "tools/devstack/src/start.ts";
    const samePort = await runScript(start, [], { PORT: port, TRADEPOST_DATA_DIR: otherDataDir });
    expect(samePort).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port} is in use`) });
    const sameData = await runScript(start, [], { PORT: "0", TRADEPOST_DATA_DIR: dataDir });
    expect(sameData).toMatchObject({ code: 1, stderr: expect.stringContaining(String(platform.now().pid)) });
    expect((await key.get("/v1/me")).status).toBe(200);
    removeDataDir(otherDataDir);
  });

  test("stops cleanly and keeps its data", async () => {
    const before = platform.now();
    const number = await lastOrderNumber(key, before.demo.customerId);
    expect(await platform.stop()).toBe(0);
    const pids = [before.pid, before.infrastructure.postgres.pid, before.infrastructure.rabbitmq.pid];
    for (const pid of [...pids, ...Object.values(before.processes).flatMap(([one]) => one?.pid ?? [])]) {
      expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
    }
    platform = await launchPlatform(settings, dataDir);
    expect(platform.now().demo).toEqual(before.demo);
    ({ owner, key } = await callers(platform));
    expect(await lastOrderNumber(key, before.demo.customerId)).toBe(number + 1);
  }, 600_000);
});

async function callers(platform: LaunchedPlatform): Promise<{ owner: ApiClient; key: ApiClient }> {
  const { gatewayUrl, demo } = platform.now();
  const credentials = { email: demo.ownerEmail, password: demo.ownerPassword };
  const login = await apiClient(gatewayUrl).post("/v1/auth/login", credentials);
  return {
    owner: apiClient(gatewayUrl, bearer(login.body.data.token)),
    key: apiClient(gatewayUrl, bearer(demo.apiKey)),
  };
}

async function readyIn(platform: LaunchedPlatform, queue: string): Promise<number | undefined> {
  const queues = (await platform.ops("queues")) as { name: string; ready: number }[];
  return queues.find(({ name }) => name === queue)?.ready;
}

/** Places an order and returns its number. */
async function lastOrderNumber(key: ApiClient, customerId: string): Promise<number> {
  const { body } = await key.post("/v1/orders", { customerId, items: [{ sku: "A", name: "A" }] });
  return Number(body.data.orderNumber);
}
