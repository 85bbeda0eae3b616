// API keys that work only from some addresses, and that whoever holds them can end (interface §25).
import { expect, test } from "@jest/globals";
import { apiClient, bearer, until } from "@tradepost/testing";
import { callTool } from "./support/mcp-requests.ts";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ PROXY_HOPS: "1", METRICS_PORT: "0" });
const tenant = await gateway.createTenant();

const from = (address: string) => ({ "x-forwarded-for": address });
const create = async (allowedAddresses?: unknown) =>
  (
    await tenant.owner.post("/v1/api-keys", {
      ...{ label: "ERP", scopes: ["read:crm"] },
      ...(allowedAddresses !== undefined && { allowedAddresses }),
    })
  ).body.data;
const as = ({ key }: { key: string }) => apiClient(gateway.url, bearer(key));
const revoke = async (key: unknown) =>
  await apiClient(gateway.url).post("/v1/auth/revoke-key", { key }, from(`198.51.100.${revocations++}`));
let revocations = 1;
const read = async (id: string) => (await tenant.owner.get(`/v1/api-keys/${id}`)).body.data;

test("a key works only from its addresses, everywhere and from the next request on", async () => {
  const key = await create(["203.0.113.0/24", "2001:DB8::/32"]);
  expect(key.allowedAddresses).toEqual(["203.0.113.0/24", "2001:db8::/32"]);
  const client = as(key);
  for (const address of ["203.0.113.7", "::ffff:203.0.113.8", "2001:db8:1::1", "6.6.6.6, 203.0.113.9"])
    expect((await client.get("/v1/me", from(address))).status).toBe(200);
  for (const path of ["/v1/me", "/v1/orders", "/v1/none"]) {
    const { status, body } = await client.get(path, from("203.0.113.7, 203.0.114.1"));
    expect([path, status, body.error.code]).toEqual([path, 403, "address_not_allowed"]);
  }
  expect((await callTool(client, "whoami", {})).status).toBe(403);
  expect((await tenant.owner.get("/v1/me", from("203.0.114.1"))).status).toBe(200);

  expect(
    (await tenant.owner.patch(`/v1/api-keys/${key.id}`, { allowedAddresses: ["::ffff:203.0.114.1"] })).body
      .data,
  ).toMatchObject({
    allowedAddresses: ["203.0.114.1"],
    label: "ERP",
  });
  expect((await client.get("/v1/me", from("203.0.114.1"))).status).toBe(200);
  expect((await client.get("/v1/me", from("203.0.113.7"))).status).toBe(403);
  const { rotatedFrom, allowedAddresses } = (await tenant.owner.post(`/v1/api-keys/${key.id}/rotate`)).body
    .data;
  expect([rotatedFrom, allowedAddresses]).toEqual([key.id, ["203.0.114.1"]]);
  await tenant.owner.patch(`/v1/api-keys/${key.id}`, { allowedAddresses: null });
  expect((await client.get("/v1/me", from("6.6.6.6"))).status).toBe(200);
});

test("a key's addresses and its refusals are in the logs, and a refusal is no use of the key", async () => {
  const key = await create(["203.0.113.7"]);
  await as(key).get("/v1/me", from("203.0.114.1"));
  const [logged] = await until("the request", async () => {
    const { data } = (await tenant.owner.get(`/v1/requests?keyId=${key.id}`)).body;
    return data.length > 0 && data;
  });
  expect(logged).toMatchObject({ ip: "203.0.114.1", status: 403, code: "address_not_allowed" });
  expect((await read(key.id)).lastUsedAt).toBeNull();
  const metrics = await (await fetch(gateway.metricsUrl ?? "")).text();
  expect(metrics.split("\n").filter((line) => line.startsWith("auth_failures_total"))).toContainEqual(
    expect.stringContaining("address_not_allowed"),
  );
  const { data } = (await tenant.owner.get(`/v1/audit-log?targetId=${key.id}`)).body;
  expect(data).toMatchObject([{ action: "api_key.created", changes: { allowedAddresses: ["203.0.113.7"] } }]);
  const own = (await tenant.owner.get("/v1/requests?route=/v1/requests")).body.data[0];
  expect(own?.ip ?? null).toBeNull();
});

test("wrong addresses are refused, each by its place", async () => {
  const { status, body } = await tenant.owner.post("/v1/api-keys", {
    ...{ label: "ERP", scopes: [], allowedAddresses: ["10.0.0.1", "10.0.0.1/8", "example.com"] },
  });
  expect([status, body.error.details]).toEqual([
    422,
    [
      { path: "allowedAddresses[1]", message: "must have no bits beyond its prefix" },
      { path: "allowedAddresses[2]", message: "must be an IP address or a CIDR" },
    ],
  ]);
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
  expect((await as(key).get("/v1/me", from("203.0.113.7"))).status).toBe(401);
  expect((await as(other).get("/v1/me", from("203.0.113.7"))).status).toBe(200);
  const { data } = (await tenant.owner.get(`/v1/audit-log?targetId=${key.id}&action=api_key.revoked`)).body;
  expect(data).toEqual([
    expect.objectContaining({
      actor: { type: "holder", id: key.id, name: "ERP" },
      ip: expect.stringMatching(/^198\.51\.100\./),
      changes: { keyId: key.keyId, label: "ERP" },
    }),
  ]);
});

test("wrong keys are limited as failed sign-ins are, and right ones are not counted", async () => {
  const anyone = apiClient(gateway.url);
  const send = async (key: string) =>
    (await anyone.post("/v1/auth/revoke-key", { key }, from("192.0.2.1"))).status;
  const { key } = await create();
  const statuses: number[] = [];
  for (let number = 0; number < 7; number += 1) statuses.push(await send(key));
  for (let number = 0; number < 7; number += 1) statuses.push(await send("wrong"));
  expect(statuses).toEqual([...Array(12).fill(200), 429, 429]);
  expect((await anyone.post("/v1/auth/revoke-key", { key: 1 })).body.error.details).toEqual([
    { path: "key", message: "must be a string" },
  ]);
});
