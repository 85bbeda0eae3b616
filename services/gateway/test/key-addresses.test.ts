// API keys that work only from some addresses, and that whoever holds them can end (interface §25).
import { until } from "@tradepost/testing";
import { callTool } from "./support/mcp-requests.ts";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ PROXY_HOPS: "1", METRICS_PORT: "0" });
const tenant = await gateway.createTenant();

const { anyone, from } = gateway;
const create = (allowedAddresses?: readonly string[]) =>
  gateway.createKey(tenant, ["read:crm"], { label: "ERP", allowedAddresses });
const revoke = (key: unknown, address?: string) => anyone.post("/v1/auth/revoke-key", { key }, from(address));
const read = async (id: string) => (await tenant.owner.get(`/v1/api-keys/${id}`)).body.data;

test("a key works only from its addresses, everywhere and from the next request on", async () => {
  const { id, client, allowedAddresses } = await create(["203.0.113.0/24", "2001:DB8::/32"]);
  expect(allowedAddresses).toEqual(["203.0.113.0/24", "2001:db8::/32"]);
  const path = `/v1/api-keys/${id}`;
  for (const address of ["203.0.113.7", "::ffff:203.0.113.8", "2001:db8:1::1", "6.6.6.6, 203.0.113.9"])
    expect((await client.get("/v1/me", from(address))).status).toBe(200);
  for (const at of ["/v1/me", "/v1/orders", "/v1/none"]) {
    const { status, body } = await client.get(at, from("203.0.113.7, 203.0.114.1"));
    expect([at, status, body.error.code]).toEqual([at, 403, "address_not_allowed"]);
  }
  expect((await callTool(client, "whoami", {})).status).toBe(403);
  expect((await tenant.owner.get("/v1/me", from("203.0.114.1"))).status).toBe(200);

  const moved = await tenant.owner.patch(path, { allowedAddresses: ["::ffff:203.0.114.1"] });
  expect(moved.body.data).toMatchObject({ allowedAddresses: ["203.0.114.1"], label: "ERP" });
  expect((await client.get("/v1/me", from("203.0.114.1"))).status).toBe(200);
  expect((await client.get("/v1/me", from("203.0.113.7"))).status).toBe(403);
  const rotated = await tenant.owner.post(`${path}/rotate`);
  expect(rotated.body.data).toMatchObject({ rotatedFrom: id, allowedAddresses: ["203.0.114.1"] });
  await tenant.owner.patch(path, { allowedAddresses: null });
  expect((await client.get("/v1/me", from("6.6.6.6"))).status).toBe(200);
});

test("a key's addresses and its refusals are in the logs, and a refusal is no use of the key", async () => {
  const key = await create(["203.0.113.7"]);
  await key.client.get("/v1/me", from("203.0.114.1"));
  const [logged] = await until("the request", async () => {
    const { data } = (await tenant.owner.get(`/v1/requests?keyId=${key.id}`)).body;
    return data.length > 0 && data;
  });
  expect(logged).toMatchObject({ ip: "203.0.114.1", status: 403, code: "address_not_allowed" });
  expect((await read(key.id)).lastUsedAt).toBeNull();
  expect((await gateway.metrics())('auth_failures_total{reason="address_not_allowed"}')).toBeGreaterThan(0);
  expect(await tenant.audit(`targetId=${key.id}`)).toMatchObject([
    { action: "api_key.created", changes: { allowedAddresses: ["203.0.113.7"] } },
  ]);
  const own = (await tenant.owner.get("/v1/requests?route=/v1/requests")).body.data[0];
  expect(own?.ip ?? null).toBeNull();
});

test("whoever holds a key ends it, from wherever it may be used, and only with the right secret", async () => {
  const key = await create(["203.0.113.7"]);
  const other = await create();
  const forged = `${key.key.slice(0, -1)}${key.key.endsWith("a") ? "b" : "a"}`;
  const unknown = key.key.replace(key.keyId, "0".repeat(12));
  for (const wrong of [forged, unknown, "", "sk_live_", key.keyId])
    expect((await revoke(wrong)).body).toEqual({ success: true, data: { revoked: false } });
  expect((await read(key.id)).revokedAt).toBeNull();

  for (const _ of [1, 2]) {
    const { status, body, headers } = await revoke(key.key);
    expect([status, body.data, headers.get("cache-control")]).toEqual([200, { revoked: true }, "no-store"]);
  }
  expect((await key.client.get("/v1/me", from("203.0.113.7"))).status).toBe(401);
  expect((await other.client.get("/v1/me", from("203.0.113.7"))).status).toBe(200);
  expect(await tenant.audit(`targetId=${key.id}&action=api_key.revoked`)).toEqual([
    expect.objectContaining({
      actor: { type: "holder", id: key.id, name: "ERP" },
      ip: expect.stringMatching(/^198\.18\./),
      changes: { keyId: key.keyId, label: "ERP" },
    }),
  ]);
});

test("wrong keys are limited as failed sign-ins are, and right ones are not counted", async () => {
  const { key } = await create();
  const statuses: number[] = [];
  for (const one of [...Array(7).fill(key), ...Array(7).fill("wrong")])
    statuses.push((await revoke(one, "192.0.2.1")).status);
  expect(statuses).toEqual([...Array(12).fill(200), 429, 429]);
  const faulty = await anyone.post("/v1/auth/revoke-key", { key: 1 });
  expect(faulty.body.error.details).toEqual([{ path: "key", message: "must be a string" }]);
});
