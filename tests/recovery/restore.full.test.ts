// Follows docs/runbooks/restore.md to the letter: the four databases are restored to different moments, and the commands that
// follow make the platform consistent again.
import { forEachService, migrateDatabases, SERVICES, type ServiceName } from "@tradepost/devstack";
import {
  apiClient,
  bearer,
  createEmptyServiceDatabase,
  type Receiver,
  readMetrics,
  startReceiver,
  until,
} from "@tradepost/testing";
import { type BackedUpPostgres, startBackedUpPostgres } from "../support/backed-up-postgres.ts";
import { opsOn } from "../support/run-ops.ts";
import {
  createPlatformBase,
  type PlatformBase,
  startTestPlatform,
  type TestPlatform,
  type TestTenant,
} from "../support/test-platform.ts";

let postgres: BackedUpPostgres;
let receiver: Receiver;
let base: PlatformBase;
let restored: PlatformBase;
let platform: TestPlatform;
let tenant: TestTenant;
let moments: Record<ServiceName, Date>;
let lostFrom: string;

const ops = async (...words: string[]) => {
  const databases = forEachService((service) => restored.databases[service].ownerUrl);
  const { code, stdout, stderr } = await opsOn({ ...platform, databases })(...words, "--json");
  return { code, stderr, ...(stdout === "" ? {} : JSON.parse(stdout)) };
};

const redirect = async (from: string) =>
  (await tenant.key.post("/v1/redirects", { from, to: "/new" })).body.data;
const place = (key: string) =>
  tenant.key.post(
    "/v1/orders",
    { customerId: tenant.customerId, items: [{ sku: "A-1", name: "Mug", unitPrice: 10 }] },
    { "Idempotency-Key": key },
  );
const readFeed = (after?: string) =>
  tenant.key.get(`/v1/orders/events${after === undefined ? "" : `?after=${after}`}`);
const endOfFeed = (count: number) =>
  until(`${count} events in the feed`, async () => {
    const { body } = await readFeed();
    return body.data.length === count && (body.page.nextCursor as string);
  });
const deliveriesOf = (from: string, path = "/hook") =>
  receiver.received
    .filter(
      (request) => request.path === path && JSON.parse(String(request.body)).data.redirect.from === from,
    )
    .map(({ headers }) => headers["x-service-delivery"]);
const delivered = (from: string, times: number) =>
  until(`${from} to be delivered`, () => deliveriesOf(from).length === times);

/** Returns the same databases on the recovered servers. The secrets are not part of the databases, so they survive. */
function moved(servers: Record<ServiceName, string>): PlatformBase {
  const databases = forEachService((service) => {
    const { url, ownerUrl, serviceUrl, drop } = base.databases[service];
    const { port } = new URL(servers[service]);
    const at = (address: string) => Object.assign(new URL(address), { port }).href;
    return { url: at(url), ownerUrl: at(ownerUrl), serviceUrl: at(serviceUrl), drop };
  });
  return { ...base, databases };
}

beforeAll(async () => {
  postgres = await startBackedUpPostgres();
  receiver = await startReceiver();
  base = await createPlatformBase(postgres.url);
  platform = await startTestPlatform({}, undefined, base);
  tenant = await platform.createTenant();
});

afterAll(async () => {
  await platform?.stop();
  await receiver?.stop();
  await postgres?.stop();
  await base?.broker.drop();
  base?.files.remove();
});

test("a database that was not restored is refused before it is migrated, and afterwards unless forced", async () => {
  const gateway = await createEmptyServiceDatabase("gateway");
  const own = gateway.ownerUrl;
  const unused = "postgres://nobody@127.0.0.1:1/unused";
  // The database of orders has a list of erased customers too.
  const databases = { gateway: own, orders: own, content: unused, webhooks: unused };
  const restored = async (...words: string[]) => {
    const to = new Date(Date.now() - 60_000).toISOString();
    const run = opsOn({ ...platform, databases });
    const { code, stderr } = await run("restored gateway --dry-run --to", to, ...words);
    return { code, stderr: stderr.trimEnd() };
  };
  const notMigrated =
    /^A database is not migrated to this release \(.*\): run the migration programs first\.$/;
  expect(await restored()).toEqual({ code: 1, stderr: expect.stringMatching(notMigrated) });
  await migrateDatabases({ gateway: own });
  const notRestored =
    /^Nothing shows that the database of gateway was restored, moved or promoted\. .* add --force\.$/;
  expect(await restored()).toEqual({ code: 1, stderr: expect.stringMatching(notRestored) });
  expect(await restored("--force")).toEqual({ code: 0, stderr: "" });
  await gateway.drop();
});

describe("databases that are restored to different moments", () => {
  let orderIds: string[];
  let cursors: { kept: string; lost: string };
  let subscriptions: { kept: string; deleted: string; late: string };
  let revokedKeyId: string;
  let lastToken: string;
  let backupAge: number | undefined;

  beforeAll(async () => {
    const subscribe = async (path: string): Promise<string> =>
      (await tenant.subscribe(receiver.url + path)).id;
    const [kept, deleted] = [await subscribe("/hook"), await subscribe("/deleted")];
    const first = await place("kept");
    await postgres.takeBaseBackup();
    const metric = await readMetrics(platform.urls.orders);
    backupAge = metric("postgres_base_backup_age_seconds");
    await redirect("/a");
    await delivered("/a", 1);
    await until("both deliveries to be recorded", async () => {
      const { body } = await tenant.key.get("/v1/webhooks/deliveries?status=delivered");
      return body.data.length === 2;
    });
    const webhooks = await postgres.markMoment("webhooks");

    await redirect("/b");
    await delivered("/b", 1);
    await tenant.owner.delete(`/v1/webhooks/subscriptions/${deleted}`);
    const late = await subscribe("/late");
    await until("the audit log to have the last subscription", async () => {
      const { body } = await tenant.owner.get(`/v1/audit-log?targetId=${late}`);
      return body.data.length === 1;
    });
    subscriptions = { kept, deleted, late };
    const created = await tenant.owner.post("/v1/api-keys", { label: "Leaked", scopes: ["read:crm"] });
    revokedKeyId = created.body.data.id;
    const keptCursor = await endOfFeed(1);
    const orders = await postgres.markMoment("orders");

    const lost = [await place("lost"), await place("another")];
    await tenant.key.post(`/v1/orders/${first.body.data.id}/payments`, { status: "succeeded" });
    orderIds = [first, ...lost].map(({ body }) => body.data.id);
    expect(lost.map(({ body }) => body.data.orderNumber)).toEqual(["1002", "1003"]);
    cursors = { kept: keptCursor, lost: await endOfFeed(4) };
    const gateway = await postgres.markMoment("gateway");

    await tenant.owner.delete(`/v1/api-keys/${revokedKeyId}`);
    lastToken = tenant.ownerToken;
    const content = await postgres.markMoment("content");
    await redirect("/c");
    await delivered("/c", 1);
    moments = { gateway, orders, content, webhooks };
    await postgres.crash();
    await platform.stop();
    restored = moved({
      gateway: await postgres.restore("gateway"),
      orders: await postgres.restore("orders"),
      content: await postgres.restore("content"),
      webhooks: await postgres.restore("webhooks"),
    });
    const end = new URL(await postgres.restore(null));
    end.pathname = new URL(base.databases.orders.url).pathname;
    lostFrom = end.href;
  });

  test("were backed up within the last hour, as the services' metrics say", () => {
    expect(backupAge).toBeLessThan(3600);
  });

  test("are named by verify, with what differs between them", async () => {
    // The broker's figures are some seconds old, and no message counts as lost until the queue is empty.
    const { code, faults } = await until("the figures of an empty queue", async () => {
      const found = await ops("verify");
      return found.faults.some(({ kind }: { kind: string }) => kind === "event_lost") && found;
    });
    expect(code).toBe(1);
    const { tenantId } = tenant;
    expect(faults).toEqual([
      { kind: "event_lost", tenantId, count: 1, ids: [expect.any(String)] },
      ...SERVICES.map((service) => {
        return { kind: "restore_unrecorded", tenantId: null, count: 1, ids: [service] };
      }),
      { kind: "subscription_missing", tenantId, count: 1, ids: [subscriptions.late] },
      { kind: "subscription_undeleted", tenantId, count: 1, ids: [subscriptions.deleted] },
    ]);
  });

  test("orders: the counter passes every number that was given, and the lost orders are named", async () => {
    const to = moments.orders.toISOString();
    const words = ["restored", "orders", "--to", to, "--lost-from", lostFrom];
    const report = {
      code: 0,
      service: "orders",
      restoredTo: to,
      recorded: true,
      // The idempotency record of the order that was kept.
      idempotencyRecords: 1,
      lostOrders: [
        { orderId: orderIds[0], orderNumber: "1001", restoredVersion: 1, version: 2, paymentStatus: "paid" },
        { orderId: orderIds[1], orderNumber: "1002", restoredVersion: null },
        { orderId: orderIds[2], orderNumber: "1003", restoredVersion: null },
      ],
    };
    const numbers = [{ tenantId: tenant.tenantId, from: 1002, to: 1003 + 1 + 1_000 + 10 }];
    expect(await ops(...words, "--dry-run")).toMatchObject({ ...report, dryRun: true, numbers });
    expect(await ops(...words)).toMatchObject({ ...report, dryRun: false, numbers });
    // The second run has nothing left to do and lists the same.
    const nothing = { recorded: false, idempotencyRecords: 0, numbers: [] };
    expect(await ops(...words)).toMatchObject({ ...report, ...nothing });
  });

  test("webhooks: what it missed is published again, and a deleted subscription is deleted again", async () => {
    const report = await ops("restored", "webhooks", "--to", moments.webhooks.toISOString());
    const change = (subscriptionId: string, action: string, deletedAgain: boolean) =>
      expect.objectContaining({ subscriptionId, action: `webhook_subscription.${action}`, deletedAgain });
    expect(report).toMatchObject({ code: 0, recorded: true });
    expect(report.subscriptions).toEqual([
      change(subscriptions.deleted, "deleted", true),
      change(subscriptions.late, "created", false),
    ]);
    expect(report.republished.republished).toBe(report.republished.matched);
  });

  test("gateway: all sessions end, and the keys that may have been revoked are listed", async () => {
    const report = await ops("restored", "gateway", "--to", moments.gateway.toISOString());
    expect(report).toMatchObject({ code: 0, recorded: true, sessionsEnded: 1, setupLinksEnded: 0 });
    expect(report.keys.map(({ id }: { id: string }) => id)).toContain(revokedKeyId);
  });

  test("content: the restore is recorded", async () => {
    const report = await ops("restored", "content", "--to", moments.content.toISOString());
    expect(report).toMatchObject({ code: 0, recorded: true });
  });

  describe("and that run again", () => {
    beforeAll(async () => {
      platform = await startTestPlatform({}, undefined, restored);
      tenant = { ...tenant, key: apiClient(platform.url, bearer(tenant.apiKey)) };
    });

    test("refuse the commands while they run", async () => {
      const { code, stderr } = await ops("restored", "orders", "--to", moments.orders.toISOString());
      expect(code).toBe(1);
      expect(stderr).toBe(
        "The orders service is connected to its database. Stop every replica of it first.\n",
      );
    });

    test("give no order number twice, and know the Idempotency-Keys of before the restore", async () => {
      const repeated = await place("kept");
      expect(repeated.body.data.id).toBe(orderIds[0]);
      expect(repeated.headers.get("idempotent-replayed")).toBe("true");
      // The order of this key is lost, so the request places it now.
      const again = await place("lost");
      expect(again.body.data.orderNumber).toBe("2014");
      expect(orderIds).not.toContain(again.body.data.id);
    });

    test("tell a reader who has seen lost events to start again, however many events there are by then", async () => {
      for (let count = 0; count < 4; count += 1) await place(`new-${count}`);
      const { kept, lost } = cursors;
      const end = await endOfFeed(6);
      const refused = await readFeed(lost);
      expect([refused.status, refused.body.error?.code]).toEqual([410, "cursor_expired"]);
      const { body } = await readFeed(kept);
      expect(body.data).toHaveLength(5);
      expect((await readFeed(end)).body.data).toEqual([]);
    });

    test("send the webhooks of the lost time again, with the same delivery ids", async () => {
      await delivered("/b", 2);
      const [first, second] = deliveriesOf("/b");
      expect(second).toBe(first);
      expect(deliveriesOf("/a")).toHaveLength(1);
      await redirect("/d");
      await delivered("/d", 1);
      expect(deliveriesOf("/d", "/deleted")).toEqual([]);
    });

    test("refuse tokens of before the restore", async () => {
      expect((await apiClient(platform.url, bearer(lastToken)).get("/v1/me")).status).toBe(401);
    });

    test("are accounted for, and verify names the restores", async () => {
      const { restores } = await until("everything to be accounted for", async () => {
        const verified = await ops("verify");
        return verified.code === 0 && verified;
      });
      expect(restores).toEqual(
        SERVICES.map((service) => ({
          ...{ service, at: expect.any(String), lostEvents: 0 },
          restoredTo: moments[service].toISOString(),
        })),
      );
    });
  });
});
