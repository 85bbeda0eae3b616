// Cells (docs/scaling.md): one gateway in front of two stacks of the other services, each with its own databases and vhost. A
// tenant belongs to one cell and is not affected by events in the other.
import { createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bearer, type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import pg from "pg";
import { type CellRouter, startCellRouter } from "./support/cell-router.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const SERVICES = ["orders", "content", "webhooks"] as const;
// The cells share the secret with which the gateway signs requests.
const SECRET = randomBytes(32).toString("hex");
const SETTINGS = {
  GATEWAY_SECRET: SECRET,
  ORDERS_GATEWAY_SECRET: SECRET,
  CONTENT_GATEWAY_SECRET: SECRET,
  WEBHOOKS_GATEWAY_SECRET: SECRET,
};
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

describe("two cells behind one gateway", () => {
  /** The gateway of the first cell serves both. The gateway of the second gets no requests. */
  const cells: TestPlatform[] = [];
  const cellOfTenant = new Map<string, number>();
  let routers: CellRouter[];
  let receiver: Receiver;
  let tenants: [TestTenant, TestTenant];

  beforeAll(async () => {
    routers = await Promise.all(
      SERVICES.map((service) =>
        startCellRouter((tenantId) => {
          const cell = tenantId === undefined ? 0 : (cellOfTenant.get(tenantId) ?? -1);
          return cells[cell]?.urls[service];
        }),
      ),
    );
    const [ordersUrl = "", contentUrl = "", webhooksUrl = ""] = routers.map(({ url }) => url);
    const urls = { ORDERS_URL: ordersUrl, CONTENT_URL: contentUrl, WEBHOOKS_URL: webhooksUrl };
    cells.push(await startTestPlatform({ ...SETTINGS, ...urls }), await startTestPlatform(SETTINGS));
    receiver = await startReceiver(await testCertificate());
    tenants = [await settle(0), await settle(1)];
  });
  afterAll(async () => {
    await receiver.stop();
    for (const cell of cells) await cell.stop();
    for (const router of routers) await router.stop();
  });

  /** Creates a tenant and assigns it to a cell before its first request to a service. */
  async function settle(cell: number): Promise<TestTenant> {
    const tenant = await (cells[0] as TestPlatform).createTenant([]);
    cellOfTenant.set(tenant.tenantId, cell);
    for (const name of ["crm", "content"])
      expect((await tenant.owner.put(`/v1/modules/${name}`, { active: true })).status).toBe(200);
    return tenant;
  }

  async function placeOrder({ owner }: TestTenant) {
    const customer = await owner.post("/v1/customers", { name: "Ada" });
    if (customer.status !== 201) return customer;
    const items = [{ sku: "A-1", name: "Mug", quantity: 1, unitPrice: 5 }];
    return await owner.post("/v1/orders", { customerId: customer.body.data.id, items });
  }

  async function tenantsIn(cell: number, service: (typeof SERVICES)[number], table: string) {
    const client = new pg.Client(cells[cell]?.databases[service]);
    await client.connect();
    const { rows } = await client.query(`select distinct tenant_id::text as id from ${table}`);
    await client.end();
    return rows.map(({ id }) => id);
  }

  test("keep a tenant's rows, events and deliveries in its own", async () => {
    for (const tenant of tenants) {
      const { owner, tenantId } = tenant;
      const url = `${receiver.url}/${tenantId}`;
      const subscription = { name: "All", url, events: ["redirect.added"] };
      const subscribed = await owner.post("/v1/webhooks/subscriptions", subscription);
      expect(subscribed.status).toBe(201);
      expect((await placeOrder(tenant)).status).toBe(201);
      expect((await owner.post("/v1/redirects", { from: "/a", to: "/b" })).status).toBe(201);
      const hook = await until("the webhook", () =>
        receiver.received.find(({ path }) => path === `/${tenantId}`),
      );
      const signature = createHmac("sha256", subscribed.body.data.signingSecret).update(hook.body);
      expect(hook.headers["x-service-signature"]).toBe(`sha256=${signature.digest("hex")}`);
    }
    for (const [cell, { tenantId }] of tenants.entries()) {
      expect(await tenantsIn(cell, "orders", "orders")).toEqual([tenantId]);
      expect(await tenantsIn(cell, "content", "redirects")).toEqual([tenantId]);
      expect(await tenantsIn(cell, "webhooks", "subscriptions")).toEqual([tenantId]);
      await until("the log", async () => (await tenantsIn(cell, "webhooks", "delivery_log")).length > 0);
      expect(await tenantsIn(cell, "webhooks", "delivery_log")).toEqual([tenantId]);
    }
    expect(receiver.received).toHaveLength(2);
  });

  test("serve signed links, which carry no credential", async () => {
    const [, { owner, ownerToken }] = tenants;
    const form = new FormData();
    form.set("file", new Blob([PNG], { type: "image/png" }), "dot.png");
    const request = { method: "POST", headers: bearer(ownerToken), body: form };
    const uploaded = await fetch(`${cells[0]?.url}/v1/media`, request);
    const { data } = (await uploaded.json()) as { data: { id: string } };
    const link = await owner.post(`/v1/media/${data.id}/links`, {});
    expect(link.status).toBe(201);
    const response = await fetch(new URL(link.body.data.url, cells[0]?.url));
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, PNG]);
  });

  test("leave the gateway ready", async () => {
    await until("the gateway to be ready", async () => {
      const response = await fetch(`${cells[0]?.url}/readyz/deep`);
      return response.status === 200;
    });
  });

  test("go on without each other", async () => {
    await cells[1]?.stopOrders();
    const refused = await placeOrder(tenants[1]);
    expect([refused.status, refused.body.error?.code]).toEqual([503, "service_unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await tenants[1].owner.get("/v1/redirects")).status).toBe(200);
    const arrived = receiver.received.length;
    expect((await placeOrder(tenants[0])).status).toBe(201);
    expect((await tenants[0].owner.post("/v1/redirects", { from: "/c", to: "/d" })).status).toBe(201);
    await until("the webhook", () => receiver.received.length > arrived);
  });
});
