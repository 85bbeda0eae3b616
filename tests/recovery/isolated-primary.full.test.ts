// A primary is cut off from its synchronous standby, and its waits for the standby are cancelled. It then has changes that are
// lost when the standby is promoted. None of them is acknowledged, published or delivered (interface §21).
import {
  execute,
  type ReplicatedPostgres,
  type ServiceName,
  startReplicatedPostgres,
} from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { type ApiClient, apiClient, captureMessages, type Receiver, until } from "@tradepost/testing";
import { opsOn } from "../support/run-ops.ts";
import {
  createPlatformBase,
  removePlatformBase,
  startTestPlatform,
  type TestPlatform,
  type TestTenant,
} from "../support/test-platform.ts";

// The failures of the relays of three services, each of which has an event that only the primary has.
const FAILURES = 6;
const ADDED = 3;
const line = { sku: "A", name: "A", unitPrice: 10 };
const content = { name: "Page", fields: [{ key: "title", type: "text", required: true }] };

/** `status` is that of the response once the standby has the change, and `key` its Idempotency-Key, if it has one. */
const change = (request: string, status: number, body?: unknown, key?: string) => {
  return { request, status, body, key, asOwner: false };
};
type Change = ReturnType<typeof change>;
/** Sent with the owner's token, and not with an API key. */
const byOwner = (...given: Parameters<typeof change>): Change => ({ ...change(...given), asOwner: true });

describe("a primary that is cut off from its standby", () => {
  const running = new AsyncDisposableStack();
  const log: { level: string; msg: string }[] = [];
  let postgres: ReplicatedPostgres;
  let platform: TestPlatform;
  let tenant: TestTenant;
  let receiver: Receiver;
  let exchange: Awaited<ReturnType<typeof captureMessages>>;
  let changes: Change[];

  beforeAll(async () => {
    ({ postgres, platform } = await startOnPrimary(running, (text) => void log.push(JSON.parse(text))));
    receiver = await platform.startReceiver();
    tenant = await platform.createTenant();
    changes = await prepareChanges(tenant, receiver.url);
    exchange = await captureMessages(platform.broker.amqpUrl, "#");
    running.defer(exchange.stop);
    await until("the delivery of all earlier events", async () => {
      const { body } = await tenant.owner.get("/v1/webhooks/deliveries?status=pending");
      return body.data.length === 0;
    });
    exchange.messages.length = 0;
    receiver.received.length = 0;
  });
  afterAll(() => running.disposeAsync());

  async function attemptAll(): Promise<{ status: number; retryAfter: string | null }[]> {
    const outcomes = [];
    for (const change of changes) {
      const { status, headers } = await send(change.asOwner ? tenant.owner : tenant.key, change);
      outcomes.push({ status, retryAfter: headers.get("retry-after") });
    }
    return outcomes;
  }
  const refused = () => changes.map(() => ({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) }));
  const missingOf = async (url: string) => {
    const { status, body } = await apiClient(url).get("/readyz");
    return { status, missing: body.missing };
  };
  const relayFailures = () => log.filter(({ msg }) => msg.startsWith("the relay could not")).length;

  test("answers 503 when the waits of its commits are cancelled, and when it is asked again", async () => {
    await postgres.isolate();
    for (const url of Object.values(platform.urls))
      expect(await missingOf(url)).toEqual({ status: 503, missing: ["not_replicating"] });

    const stopCancelling = postgres.startCancelling();
    expect(await attemptAll()).toEqual(refused());
    // Orders that arrive together are committed as a group.
    const { customerId } = tenant;
    const together = await Promise.all(
      Array.from({ length: 6 }, () => tenant.key.post("/v1/orders", { customerId, items: [line] })),
    );
    expect(together.map(({ status }) => status)).toEqual(Array(6).fill(503));
    expect(await attemptAll()).toEqual(refused());
    await stopCancelling();
  });

  test("answers 503 after a restart, from what only it has", async () => {
    await postgres.restartIsolated();
    const stopCancelling = postgres.startCancelling();
    await until(
      "connections to the primary",
      async () => (await tenant.key.get("/v1/orders")).status === 200,
    );
    // A read may show data that the standby lacks.
    expect((await tenant.key.get("/v1/redirects?from=/isolated")).body.data).toHaveLength(1);
    expect(await attemptAll()).toEqual(refused());

    const failuresBefore = relayFailures();
    await until("the relays to try", () => relayFailures() > failuresBefore + FAILURES);
    await stopCancelling();
    const events = exchange.messages.map(({ fields }) => fields.routingKey);
    expect(events.filter((type) => type !== "content.tally")).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test("loses nothing that was acknowledged when the standby is promoted", async () => {
    await postgres.failOverIsolated();
    await until("the new primary", async () => (await tenant.key.get("/v1/orders")).status === 200);
    expect((await tenant.key.get("/v1/redirects?from=/isolated")).body.data).toEqual([]);
    expect((await attemptAll()).map(({ status }) => status)).toEqual(changes.map(({ status }) => status));

    const redirects = (await tenant.key.get("/v1/redirects?limit=100")).body.data.map(idOf);
    const delivered = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body.toString()))
        .filter(({ type }) => type === "redirect.added")
        .map(({ data }) => data.redirect.id as string);
    await until("the webhooks", () => new Set(delivered()).size === 2);
    expect(delivered().filter((id) => !redirects.includes(id))).toEqual([]);
    const orders = (await tenant.key.get("/v1/orders?limit=100")).body.data.map(idOf);
    const published = () =>
      exchange.messages.flatMap(({ content: message, fields }) =>
        fields.routingKey.startsWith("order.")
          ? [JSON.parse(message.toString()).data.order.id as string]
          : [],
      );
    await until("the events of the new orders", () => new Set(published()).size >= 4);
    expect(published().filter((id) => !orders.includes(id))).toEqual([]);
  });
});

describe("a primary of webhooks that is cut off from its standby", () => {
  test("sends nothing and acknowledges no message, also no replayed one, and loses no webhook", async () => {
    await using running = new AsyncDisposableStack();
    let failedMessages = 0;
    const countFailed = (text: string) => {
      if (text.includes("message handler failed")) failedMessages += 1;
    };
    const { postgres, platform } = await startOnPrimary(running, countFailed, "webhooks");
    const receiver = await platform.startReceiver();
    const { key, subscribe } = await platform.createTenant();
    await subscribe(receiver.url);
    const untilMessagesFail = async () => {
      const before = failedMessages;
      await until("messages to fail again", () => failedMessages > before + ADDED);
    };

    await postgres.isolate();
    const stopCancelling = postgres.startCancelling();
    const since = new Date().toISOString();
    const added: string[] = [];
    for (let number = 1; number <= ADDED; number += 1) {
      const { body } = await key.post("/v1/redirects", { from: `/${number}`, to: "/new" });
      added.push(body.data.id);
    }
    await untilMessagesFail();
    await postgres.restartIsolated();
    // The primary stores the events, but no standby has them.
    const stored = "select count(*)::integer as count from events where type = 'redirect.added'";
    await until("the events on the primary", async () => {
      const [row] = await execute(platform.databases.webhooks, stored).catch(() => []);
      return row?.count === ADDED;
    });
    const republish = ["events", "republish", "--service", "content", "--since", since];
    expect(await opsOn(platform)(...republish)).toMatchObject({ code: 0 });
    await untilMessagesFail();
    expect(receiver.received).toEqual([]);

    await stopCancelling();
    await postgres.failOverIsolated();
    const delivered = () =>
      new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.redirect.id));
    await until("the webhooks", () => delivered().size === ADDED);
    expect(delivered()).toEqual(new Set(added));
  });
});

/** Puts all databases, or only that of the service `only`, on a primary with a synchronous standby. `running` stops all. */
async function startOnPrimary(
  running: AsyncDisposableStack,
  log: (line: string) => void,
  only?: ServiceName,
) {
  const postgres = await startReplicatedPostgres();
  running.defer(postgres.stop);
  const base = await createPlatformBase(postgres.url, only);
  running.defer(() => removePlatformBase(base));
  const logger = createLogger("test", "warn", log);
  const platform = await startTestPlatform({ WEBHOOKS_SWEEP_GRACE_MS: "1000" }, logger, base);
  running.defer(platform.stop);
  return { postgres, platform };
}

const idOf = ({ id }: { id: string }) => id;

function send(client: ApiClient, { request, body, key }: Change) {
  const [method = "", path = ""] = request.split(" ");
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(key !== undefined && { "idempotency-key": key }),
  };
  return client.send(method, path, { headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Returns changes of every kind, all of which a repeated request finds done. Creates the resources to which they refer. */
async function prepareChanges(
  { owner, key, customerId, subscribe }: TestTenant,
  url: string,
): Promise<Change[]> {
  const create = async (client: ApiClient, path: string, body: unknown): Promise<string> => {
    const { status, body: created } = await client.post(path, body);
    expect([path, status]).toEqual([path, 201]);
    return created.data.id;
  };
  const order = (more: object = {}) => ({ customerId, items: [line], ...more });
  const placed = () => create(key, "/v1/orders", order());
  const [paid, noted, unpaid, unwanted] = [await placed(), await placed(), await placed(), await placed()];
  expect((await key.post(`/v1/orders/${paid}/payments`, { status: "succeeded" })).status).toBe(200);
  expect((await owner.put("/v1/content-types/page", content)).status).toBe(201);
  const entry = await create(key, "/v1/entries", { type: "page", slug: "first", data: { title: "First" } });
  const redirect = await create(key, "/v1/redirects", { from: "/old", to: "/new" });
  const subscription = { name: "Redirects", url, events: ["redirect.added", "redirect.removed"] };
  const { id: kept } = await subscribe(url, subscription.events);
  const { id: removed } = await subscribe(url, ["media.uploaded"]);
  const label = { label: "Old", scopes: [] };
  const revoked = await create(owner, "/v1/api-keys", label);
  const subscriptions = "/v1/webhooks/subscriptions";
  const paying = `POST /v1/orders/${unpaid}/payments`;
  return [
    change("POST /v1/orders", 201, order(), "place"),
    change(paying, 200, { status: "failed" }, "pay"),
    change("POST /v1/customers", 201, { name: "Bo" }, "customer"),
    change("POST /v1/redirects", 201, { from: "/keyed", to: "/new" }, "redirect"),
    byOwner(`POST ${subscriptions}`, 201, subscription, "subscribe"),
    byOwner("POST /v1/api-keys", 201, label, "key"),
    change("POST /v1/orders", 201, order({ externalId: "E-1" })),
    change("POST /v1/orders", 201, order({ orderNumber: "N-1" })),
    change("POST /v1/orders/bulk", 200, { orders: [order({ externalId: "E-2" })] }),
    change(paying, 200, { status: "succeeded", reference: "P-1" }),
    change(`POST /v1/orders/${paid}/refund`, 200, { amount: 1, reference: "R-1" }),
    change(`PATCH /v1/orders/${noted}`, 200, { customerNote: "Ring twice" }),
    change(`POST /v1/orders/${unwanted}/cancel`, 200, {}),
    change("POST /v1/customers", 201, { name: "Cy", externalId: "C-1" }),
    change(`PATCH /v1/customers/${customerId}`, 200, { name: "Ada L." }),
    change("PUT /v1/customers/by-external-id/C-2", 201, { name: "Di" }),
    change("POST /v1/redirects", 201, { from: "/isolated", to: "/new" }),
    change(`DELETE /v1/redirects/${redirect}`, 200),
    byOwner("PUT /v1/content-types/note", 201, { ...content, name: "Note" }),
    change(`PATCH /v1/entries/${entry}`, 200, { data: { title: "Changed" } }),
    change(`POST /v1/entries/${entry}/publish`, 200),
    change("POST /v1/entries", 201, { type: "page", slug: "second", data: {} }),
    byOwner(`PATCH ${subscriptions}/${kept}`, 200, { name: "Renamed" }),
    byOwner(`DELETE ${subscriptions}/${removed}`, 200),
    byOwner(`DELETE /v1/api-keys/${revoked}`, 200),
    byOwner("PUT /v1/modules/content", 200, { active: true }),
    byOwner("POST /v1/users", 201, { email: "bo@isolated.example", name: "Bo", role: "viewer" }),
    change("POST /v1/webhooks/listeners", 201, { events: ["redirect.added"] }),
  ];
}
