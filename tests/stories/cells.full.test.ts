// Cells (docs/scaling.md): one gateway in front of two stacks of the other services, each with its own databases and vhost. A
// tenant belongs to one cell and is not affected by events in the other.
import { createHmac, randomBytes } from "node:crypto";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { execute } from "@tradepost/devstack";
import { listenLocally, type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "../support/test-platform.ts";
import { PNG, upload } from "../support/upload.ts";

const SERVICES = ["orders", "content", "webhooks"] as const;
// The cells share the secret with which the gateway signs requests.
const SECRET = randomBytes(32).toString("hex");
const SETTINGS = {
  GATEWAY_SECRET: SECRET,
  ORDERS_GATEWAY_SECRET: SECRET,
  CONTENT_GATEWAY_SECRET: SECRET,
  WEBHOOKS_GATEWAY_SECRET: SECRET,
};
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
    const url = cells[cell]?.databases[service] ?? "";
    return (await execute(url, `select distinct tenant_id::text as id from ${table}`)).map(({ id }) => id);
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
    const data = await upload(cells[0]?.url ?? "", ownerToken, PNG, "dot.png");
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

interface CellRouter {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts the router between the gateway and the cells. It sends each request to the cell of its tenant, which the gateway puts into a
 * header. Signed links to media have the tenant in the query. The gateway's requests to /readyz have no tenant, so any cell may respond.
 *
 * `cellOf` returns the address of a service in the tenant's cell, or in any cell without a tenant. If it returns undefined, the
 * request gets 503.
 */
async function startCellRouter(
  cellOf: (tenantId: string | undefined) => string | undefined,
): Promise<CellRouter> {
  const server = http.createServer((req, res) => {
    const unavailable = () => void res.writeHead(503, { "retry-after": "1" }).end();
    const cell = cellOf(tenantOf(req));
    if (cell === undefined) return unavailable();
    const forwarded = http.request(
      cell + req.url,
      { method: req.method, headers: req.headers },
      (response) => {
        res.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(res);
      },
    );
    forwarded.on("error", unavailable);
    req.pipe(forwarded);
  });
  return await listenLocally(server);
}

function tenantOf({ url = "", headers }: http.IncomingMessage): string | undefined {
  if (/^\/v1\/media\/[^/?]+\/links\/file\?/.test(url))
    return new URL(url, "http://cell").searchParams.get("tenant") ?? undefined;
  return headers["x-tenant-id"]?.toString();
}
