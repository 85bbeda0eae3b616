// Prepared statements find rows by an index, even with plans that were made while the tables were nearly empty.
import { apiClient, multiplyRows, recordStatements } from "@tradepost/testing";
import { PASSWORD, useGateway } from "./support/test-gateway.ts";

const ROWS = 20_000;

const gateway = await useGateway();
const recorder = await recordStatements(gateway.databaseUrl);
afterAll(recorder.stop);

test("statements prepared on small tables read few rows of large ones", async () => {
  await useService();
  const reads = await recorder.largeReads((owner) => multiplyRows(owner, ROWS));
  // `last-used` writes in the background, once for many requests, and may read all keys. The tallies have a row for each service.
  expect(reads.filter(({ text }) => !/last_used_at|audit_tallies/.test(text))).toEqual([]);
  for (const part of [
    "from api_keys",
    "from sessions",
    "setup_links",
    'update "second_factors"',
    'from "recovery_codes"',
    'from "unfinished_sign_ins"',
    "id from tenants",
    "idempotency_records",
    'insert into "audit_log"',
  ]) {
    expect(recorder.texts().find((text) => text.includes(part))).toBeDefined();
  }
});

/** Sends requests about keys, users, set-up links and second factors through a replica whose statements are recorded. */
async function useService(): Promise<void> {
  const tenant = await gateway.createTenant();
  const replica = await gateway.startReplica({ GATEWAY_DATABASE_URL: recorder.through(gateway.serviceUrl) });
  const anyone = apiClient(replica.url);
  const { client: owner } = await gateway.signIn(tenant.email, tenant.password, replica);
  const { id: keyId, key } = await gateway.createKey({ owner }, ["read:crm"]);
  expect((await gateway.as(key, replica.url).get("/v1/me")).status).toBe(200);
  const once = { "idempotency-key": "once" };
  const keyPath = `/v1/api-keys/${keyId}`;
  expect((await owner.patch(keyPath, { label: "other" })).status).toBe(200);
  expect((await owner.post(`${keyPath}/rotate`, {}, once)).status).toBe(201);
  expect((await owner.post(`${keyPath}/rotate`, {}, once)).status).toBe(201);
  const user = { email: `clerk@${tenant.slug}.example`, name: "Clerk", role: "viewer" };
  const { id, setup } = (await owner.post("/v1/users", user)).body.data;
  const set = { token: setup.token, password: PASSWORD };
  expect((await anyone.post("/v1/auth/setup", set)).status).toBe(200);
  expect((await owner.post(`/v1/users/${id}/setup-link`)).status).toBe(201);
  expect((await owner.delete(`/v1/users/${id}/sessions`)).status).toBe(200);
  const { client: clerk } = await gateway.signIn(user.email, PASSWORD, replica);
  const { app, recoveryCodes } = await gateway.protect(clerk);
  for (const proof of [{ code: await app.unused() }, { recoveryCode: recoveryCodes[0] }]) {
    const { token } = (await gateway.signIn(user.email, PASSWORD, replica)).body.data.secondFactor;
    expect((await anyone.post("/v1/auth/second-factor", { token, ...proof })).status).toBe(200);
  }
  // Without the lists of users and keys: a tenant has few of them.
  const filtered = `/v1/audit-log?targetId=${id}&after=2020-01-01T00:00:00Z`;
  // No service responds, but the gateway's own rows are read nevertheless.
  expect((await owner.get("/v1/usage")).status).toBe(503);
  for (const path of ["/v1/me", "/v1/modules", "/v1/audit-log", filtered, `/v1/users/${id}/sessions`]) {
    expect((await owner.get(path)).status).toBe(200);
  }
  const { tenantId } = tenant;
  await anyone.get(`/v1/media/${tenantId}/links/file?tenant=${tenantId}&expires=1&signature=2`);
  await replica.stop();
}
