// Prepared statements find rows by an index, even with plans that were made while the tables were nearly empty.
import { afterAll, expect, test } from "@jest/globals";
import { apiClient, authenticator, bearer, multiplyRows, recordStatements } from "@tradepost/testing";
import { startTestGateway } from "./support/test-gateway.ts";

const ROWS = 20_000;

const gateway = await startTestGateway();
const recorder = await recordStatements(gateway.databaseUrl);

afterAll(async () => {
  await recorder.stop();
  await gateway.stop();
});

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

/** Signs in, makes, changes and uses a key, and makes a user with a set-up link and a second factor, through a replica whose statements are recorded. */
async function useService(): Promise<void> {
  const tenant = await gateway.createTenant();
  const replica = await gateway.startReplica({ GATEWAY_DATABASE_URL: recorder.through(gateway.serviceUrl) });
  const { email, password } = tenant;
  const login = await apiClient(replica.url).post("/v1/auth/login", { email, password });
  const owner = apiClient(replica.url, bearer(login.body.data.token));
  const key = await owner.post("/v1/api-keys", { label: "test", scopes: ["read:crm"] });
  const withKey = apiClient(replica.url, bearer(key.body.data.key));
  expect((await withKey.get("/v1/me")).status).toBe(200);
  const once = { "idempotency-key": "once" };
  const keyPath = `/v1/api-keys/${key.body.data.id}`;
  expect((await owner.patch(keyPath, { label: "other" })).status).toBe(200);
  expect((await owner.post(`${keyPath}/rotate`, {}, once)).status).toBe(201);
  expect((await owner.post(`${keyPath}/rotate`, {}, once)).status).toBe(201);
  const user = { email: `clerk@${tenant.slug}.example`, name: "Clerk", role: "viewer" };
  const { id, setup } = (await owner.post("/v1/users", user)).body.data;
  const set = { token: setup.token, password: "correct horse battery" };
  expect((await apiClient(replica.url).post("/v1/auth/setup", set)).status).toBe(200);
  expect((await owner.post(`/v1/users/${id}/setup-link`)).status).toBe(201);
  expect((await owner.delete(`/v1/users/${id}/sessions`)).status).toBe(200);
  await useSecondFactor(replica.url, { email: user.email, password: set.password });
  // Without the lists of users and keys: a tenant has few of them.
  const filtered = `/v1/audit-log?targetId=${id}&after=2020-01-01T00:00:00Z`;
  // No service responds, but the gateway's own rows are read nevertheless.
  expect((await owner.get("/v1/usage")).status).toBe(503);
  for (const path of ["/v1/me", "/v1/modules", "/v1/audit-log", filtered, `/v1/users/${id}/sessions`]) {
    expect((await owner.get(path)).status).toBe(200);
  }
  await apiClient(replica.url).get(
    `/v1/media/${tenant.tenantId}/links/file?tenant=${tenant.tenantId}&expires=1&signature=2`,
  );
  await replica.stop();
}

async function useSecondFactor(url: string, credentials: { email: string; password: string }): Promise<void> {
  const anyone = apiClient(url);
  const { token } = (await anyone.post("/v1/auth/login", credentials)).body.data;
  const clerk = apiClient(url, bearer(token));
  const { secret } = (await clerk.post("/v1/me/second-factor", { currentPassword: credentials.password }))
    .body.data;
  const app = authenticator(secret);
  const code = { code: await app.unused() };
  const { recoveryCodes } = (await clerk.post("/v1/me/second-factor/confirm", code)).body.data;
  for (const proof of [{ code: await app.unused() }, { recoveryCode: recoveryCodes[0] }]) {
    const { secondFactor } = (await anyone.post("/v1/auth/login", credentials)).body.data;
    const finished = { token: secondFactor.token, ...proof };
    expect((await anyone.post("/v1/auth/second-factor", finished)).status).toBe(200);
  }
}
