// The previous release and this one share databases and queues under load. While the old services run, the new migrations run, and one
// that only this test has, which adds columns, as the next release may. Old and new replicas work next to each other, the new ones take
// over, and then the old ones come back. No request is refused, and no event is lost or delivered under two ids.
import { randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  execute,
  migrateDatabases,
  ROOT,
  runScript,
  SERVICES,
  type ServiceName,
  setUpTenant,
} from "@tradepost/devstack";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import {
  type ClientResponse,
  createEmptyServiceDatabase,
  type Receiver,
  startReceiver,
  until,
} from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { type Load, startLoad } from "../support/load.ts";
import { previousRelease } from "../support/previous-release.ts";
import { asProcess, type ReplicaName, type Replicas, startReplicas } from "../support/replicas.ts";
import { opsEnvironment, opsOn } from "../support/run-ops.ts";

const previous = await previousRelease("The upgrade is not tested from");
// Each step lasts until all kinds of requests were sent this often.
const TURNS = 3;
const RETRIES = { WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,100ms,100ms,100ms,100ms,100ms" };
// Places in the list of the load's orders.
const [FULFILLED, DELIVERED, IN_PARTS] = [0, 1, 2] as const;

const describeIfAvailable = previous.isAvailable ? describe : describe.skip;

describeIfAvailable(`an upgrade from release ${previous.version}, and back${previous.note}`, () => {
  let oldRoot: string;
  let replicas: Replicas;
  let receiver: Receiver;
  let load: Load;
  let kept: { readonly key: string; readonly response: ClientResponse };

  beforeAll(async () => {
    [oldRoot, replicas, receiver] = await Promise.all([
      previous.provide(),
      startReplicas(createEmptyServiceDatabase, asProcess, RETRIES),
      startReceiver(),
    ]);
    const logger = createLogger("test", "silent");
    for (const service of SERVICES) {
      const folder = new URL(`services/${service}/migrations/`, `file://${oldRoot}/`);
      await migrate({ url: replicas.databases[service].ownerUrl, folder, release: previous.version, logger });
    }
    await replicas.startAll(1, oldRoot);
    load = await startLoad(await createShop(replicas, oldRoot), `${receiver.url}/hooks`);
    const key = randomUUID();
    kept = { key, response: await addCustomer(key) };
  });
  afterAll(async () => {
    await load?.end();
    await replicas?.stopAll();
    await receiver?.stop();
  });

  const nameOf = (service: ServiceName, replica: number): ReplicaName => `${service}-${replica}`;
  const addCustomer = (key: string) =>
    load.client.post("/v1/customers", { name: "Kept" }, { "idempotency-key": key });
  const runOps = async (words: string) =>
    JSON.parse((await opsOn(replicas.operated)(words, "--json")).stdout);
  /** Checks that the load continues without a refusal, and that an earlier request still gets the same response. */
  const expectToWork = async () => {
    await load.more(TURNS);
    expect(load.refused).toEqual([]);
    const again = await addCustomer(kept.key);
    expect([again.status, again.text]).toEqual([201, kept.response.text]);
  };
  /** Returns the parsed lines of the replica's log. */
  const linesOf = (name: ReplicaName): Record<string, unknown>[] =>
    [...replicas.logOf(name).matchAll(/^\{.*$/gm)].map(([line]) => JSON.parse(line));
  const attemptsOf = async (name: ReplicaName): Promise<number> => {
    const text = await fetch(`${replicas.urlOf(name)}/metrics`).then((response) => response.text());
    const values = [...text.matchAll(/^webhooks_attempts_total\{.*\} (\d+)$/gm)];
    return values.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  /** Waits until each replica gets requests, and both replicas of webhooks make attempts. */
  const untilBothWork = async () => {
    const names = SERVICES.flatMap((service) => [nameOf(service, 1), nameOf(service, 2)]);
    const servedBefore = new Map(names.map((name) => [name, replicas.served(name)]));
    const webhooks = [nameOf("webhooks", 1), nameOf("webhooks", 2)];
    const attemptsBefore = await Promise.all(webhooks.map(attemptsOf));
    await until("each replica to get requests", () =>
      names.every((name) => replicas.served(name) > (servedBefore.get(name) ?? 0) + TURNS),
    );
    await until("both replicas of webhooks to make attempts", async () => {
      const attempts = await Promise.all(webhooks.map(attemptsOf));
      return attempts.every((count, index) => count > (attemptsBefore[index] ?? 0));
    });
  };

  const act = async (index: number, action: string, body: object) => {
    return dataOf(await load.client.post(`/v1/orders/${load.seen.orders[index]}/${action}`, body), 200);
  };
  const orderAt = async (index: number) =>
    (await load.client.get(`/v1/orders/${load.seen.orders[index]}`)).body.data;

  test("the new migrations run while the old services work", async () => {
    await expectToWork();
    for (const index of [FULFILLED, DELIVERED]) await act(index, "fulfill", { trackingNumber: "OLD-1" });
    await act(DELIVERED, "deliver", {});
    const owners = SERVICES.map((service) => [service, replicas.databases[service].ownerUrl] as const);
    await migrateDatabases(Object.fromEntries(owners));
    await addColumns(replicas);
    await expectToWork();
  });

  test("old and new replicas work next to each other", async () => {
    await replicas.startAll(2);
    await untilBothWork();
    await expectToWork();
  });

  test("the new ones take over, one service after the other, the gateway last", async () => {
    for (const service of [...SERVICES].reverse()) {
      expect(await replicas.stop(nameOf(service, 1))).toBe("exit code 0");
      await expectToWork();
    }
  });

  test("orders that the old release shipped have one shipment with all lines, and new ones are shipped in parts", async () => {
    const [fulfilled, delivered] = [await orderAt(FULFILLED), await orderAt(DELIVERED)];
    const [line] = fulfilled.items;
    const shipment = { id: expect.any(String), trackingNumber: "OLD-1", shippedAt: fulfilled.updatedAt };
    expect([line.fulfilledQuantity, fulfilled.shipments]).toEqual([
      2,
      [{ ...shipment, lines: [{ lineId: line.id, quantity: 2 }] }],
    ]);
    expect(delivered.shipments).toMatchObject([
      { trackingNumber: "OLD-1", deliveredAt: delivered.updatedAt },
    ]);
    const [{ id: lineId }] = (await orderAt(IN_PARTS)).items;
    await act(IN_PARTS, "fulfill", { lines: [{ lineId, quantity: 1 }] });
    expect(await act(IN_PARTS, "payments", { status: "succeeded", amount: 1 })).toMatchObject({
      ...{ fulfillment: "part", paymentStatus: "partially_paid" },
    });
  });

  test("the old migration program leaves a migrated database as it is", async () => {
    const environment = { ORDERS_OWNER_DATABASE_URL: replicas.databases.orders.ownerUrl };
    const ran = await runScript(
      `${path.relative(ROOT, oldRoot)}/services/orders/src/migrate.ts`,
      [],
      environment,
    );
    expect([ran.code, ran.stdout]).toEqual([0, expect.not.stringContaining("fatal")]);
  });

  test("the old ones come back, one service after the other, the gateway first", async () => {
    for (const service of SERVICES) {
      await replicas.startReady(nameOf(service, 1), oldRoot);
      expect(await replicas.stop(nameOf(service, 2))).toBe("exit code 0");
      await expectToWork();
    }
    expect(await act(IN_PARTS, "fulfill", {})).toMatchObject({ status: "fulfilled", paidTotal: 1 });
  });

  test("each event has reached the receiver, the listener and the feeds, under one id of its delivery", async () => {
    await load.finish();
    expect(load.refused).toEqual([]);
    const { orders, ordersFeed, contentFeed: events } = load.seen;
    expect([new Set(ordersFeed).size, ordersFeed.length]).toEqual([orders.length, orders.length]);
    expect(new Set(events).size).toBe(events.length);
    const figures = await execute(replicas.databases.orders.ownerUrl, FIGURES);
    expect(figures).toEqual([{ channel: "admin", orders: orders.length, total: orders.length * 901 }]);
    const deliveries = new Map<string, Set<unknown>>();
    await until("all deliveries", () => {
      for (const { headers } of receiver.received) {
        const event = String(headers["x-service-event-id"]);
        deliveries.set(event, (deliveries.get(event) ?? new Set()).add(headers["x-service-delivery"]));
      }
      return deliveries.size >= events.length;
    });
    for (const byEvent of [deliveries, load.leased]) {
      expect([...byEvent.keys()].sort()).toEqual([...events].sort());
      expect([...byEvent.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    }
    const result = await until("nothing in the queue", async () => {
      const now = await runOps("verify");
      return now.queued === 0 ? now : undefined;
    });
    expect(result.faults).toEqual([]);
  });

  test("audit logs are whole chains, with the entries from before and those of the old gateway", async () => {
    const { ok, tenants } = await runOps("audit verify");
    expect(ok).toBe(true);
    expect(tenants.some(({ entries }: { entries: number }) => entries > 2)).toBe(true);
  });

  test("no process of this release has logged an error", () => {
    const lines = SERVICES.flatMap((service) => linesOf(nameOf(service, 2)));
    expect(lines.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
  });

  test("the old service refuses a migration that does not promise to work with it", async () => {
    await replicas.stop("orders-1");
    const newer = "insert into kysely_migration values ('9999-contract', '2999-01-01T00:00:00.000Z')";
    await execute(replicas.databases.orders.ownerUrl, newer);
    // The process may exit before or after its first response.
    const ended = await replicas.start("orders-1", oldRoot).then((started) => started.ended, String);
    expect(ended).toContain("exit code 1");
    expect(linesOf("orders-1").at(-1)).toMatchObject({
      level: "fatal",
      msg: `the database has migration 9999-contract, which release ${previous.version} does not know, and which does not promise to work with it: deploy the release that has this migration, or a newer one`,
    });
  });
});

// Release 1.0.0 summed the totals, which are not rounded. These are in cents.
const FIGURES = `
  select channel, sum(orders)::int as orders, sum(100 * total)::float8 as total
    from unnest(array['admin', 'import']) channel,
         (select at, orders, total from order_totals union all select at, orders, total from order_deltas) figures
   where at = figures_at(at, channel) group by channel`;

// Tables that requests, relays and deliveries read and write all the time.
const BUSY_TABLES: Record<ServiceName, readonly string[]> = {
  gateway: ["tenants", "users", "sessions", "api_keys", "outbox"],
  orders: ["customers", "orders", "order_line_rows", "outbox", "published_events"],
  content: ["redirects", "entries", "outbox", "published_events"],
  webhooks: ["subscriptions", "endpoints", "events", "deliveries", "delivery_log", "attempts"],
};

/** Runs a migration that adds a column to each of these tables, and promises to work with the previous release. */
async function addColumns({ databases }: Replicas): Promise<void> {
  await using root = await mkdtempDisposable(path.join(tmpdir(), "tradepost-upgrade-"));
  for (const service of SERVICES) {
    const folder = pathToFileURL(`${path.join(root.path, service)}/`);
    await mkdir(folder);
    // The migrator recognizes executed migrations by their names.
    for (const file of await readdir(new URL(`../../services/${service}/migrations/`, import.meta.url)))
      await writeFile(new URL(file, folder), "");
    const columns = BUSY_TABLES[service].map((table) => `alter table ${table} add column of_the_next text;`);
    await writeFile(
      new URL("9998-next.sql", folder),
      [`-- works with: ${previous.version}`, ...columns].join("\n"),
    );
    const logger = createLogger("test", "silent");
    await migrate({ url: databases[service].ownerUrl, folder, logger });
  }
}

/** Creates a tenant with the previous release's command, because this release's may write columns that the old schema lacks. */
async function createShop({ url, operated }: Replicas, oldRoot: string) {
  const words =
    "tenant create --slug shop --name Shop --owner-email owner@shop.example --modules crm,content --json";
  const ops = `${path.relative(ROOT, oldRoot)}/tools/ops/src/ops.ts`;
  const ran = await runScript(ops, words.split(" "), opsEnvironment(operated));
  if (ran.code !== 0) throw new Error(ran.stderr);
  return { url, ...(await setUpTenant(url, JSON.parse(ran.stdout).owner, { slug: "shop" })) };
}
