// Creating a tenant emits `tenant.created` once, and only if the tenant is committed; the gateway serves requests without
// the broker meanwhile.
import { randomBytes } from "node:crypto";
import { apiClient, captureMessages, startFaultProxy, until } from "@tradepost/testing";
import { createTenant } from "../src/identity/tenants/create-tenant.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const gateway = await startTestGateway();
const captured = await captureMessages(gateway.amqpUrl, "tenant.#");
afterAll(async () => {
  await captured.stop();
  await gateway.stop();
});

describe("tenant.created", () => {
  const eventsOf = (tenantId: string) =>
    captured.messages.filter(({ properties }) => properties.headers?.tenant_id === tenantId);
  const published = (tenantId: string) =>
    until("tenant.created", () => {
      const [message] = eventsOf(tenantId);
      return message && JSON.parse(String(message.content));
    });
  const create = async (overrides: Record<string, string> = {}) => {
    const slug = `t-${randomBytes(4).toString("hex")}`;
    const tenant = { slug, name: "Läden & Söhne", ownerEmail: `owner@${slug}.example`, ...overrides };
    return await createTenant(gateway.db, { ...tenant, modules: ["crm"] });
  };

  test("has the tenant as the API shows it, and no secret", async () => {
    const { tenantId, slug, owner } = await create();
    const event = await published(tenantId);
    const { client } = await gateway.signIn(owner.email, owner.password);
    const { tenant } = (await client.get("/v1/me")).body.data;
    expect(tenant).toEqual({ id: tenantId, slug, name: "Läden & Söhne", modules: ["crm"] });
    expect(event).toEqual({
      id: expect.any(String),
      type: "tenant.created",
      tenant_id: tenantId,
      occurred_at: expect.stringMatching(/Z$/),
      request_id: expect.any(String),
      actor: { type: "operator", id: "operator", name: "Operator" },
      data: { tenant: { ...tenant, createdAt: expect.stringMatching(/Z$/) } },
    });
    expect(JSON.stringify(event)).not.toContain(owner.password);
  });

  test("is not emitted for a tenant that could not be created", async () => {
    const { slug, tenantId } = await create();
    const ids = async () =>
      (await gateway.db.selectFrom("tenants").select("id").execute()).map(({ id }) => id);
    const before = await ids();
    await expect(create({ slug })).rejects.toThrow("slug already exists");
    await expect(create({ ownerEmail: `owner@${slug}.example` })).rejects.toThrow("e-mail already exists");
    expect(await ids()).toEqual(before);
    await published(tenantId);
    const last = await create();
    await published(last.tenantId);
    const tenantIds = captured.messages.map(({ properties }) => properties.headers?.tenant_id);
    expect(tenantIds.filter((id) => !before.includes(id))).toEqual([last.tenantId]);
    expect(eventsOf(tenantId)).toHaveLength(1);
  });

  test("waits while the broker is away; the gateway is ready and serves requests", async () => {
    const proxy = await startFaultProxy(gateway.amqpUrl);
    const other = await startTestGateway({ AMQP_URL: proxy.url });
    const elsewhere = await captureMessages(gateway.amqpUrl, "tenant.#");
    const ready = () => apiClient(other.url).get("/readyz");
    await until("the broker", async () => (await ready()).body.degraded === undefined);
    await proxy.refuse();
    await until("the loss of the broker", async () => (await ready()).body.degraded !== undefined);
    const { status, body } = await ready();
    expect([status, body]).toEqual([200, { status: "ready", missing: [], degraded: ["broker"] }]);
    expect((await apiClient(other.url).get("/readyz/deep")).body.missing).toContain("broker");
    const tenant = await other.createTenant();
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
    await proxy.restore();
    const event = await until("the event", () =>
      elsewhere.messages.find(({ properties }) => properties.headers?.tenant_id === tenant.tenantId),
    );
    expect(event.properties.type).toBe("tenant.created");
    await elsewhere.stop();
    await other.stop();
    await proxy.stop();
  });
});
