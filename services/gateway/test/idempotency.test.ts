// Idempotency-Keys (interface §4): every authenticated POST honours them, a replay shows no secret, and the database has neither
// a secret nor a plain hash of one. What all services have in common is tested in packages/idempotency.
import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import {
  type ApiClient,
  apiClient,
  authenticator,
  bearer,
  checkKeyedPost,
  type KeyedPost,
  until,
} from "@tradepost/testing";
import { sql } from "kysely";
import { routes } from "../src/routes.ts";
import { PASSWORD, useGateway } from "./support/test-gateway.ts";

const NEXT = "a horse of another colour";
const [KEY_1, KEY_2] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString("base64")}`);

const gateway = await useGateway({ TOKEN_SIGNING_KEYS: String(KEY_1) });
const tenant = await gateway.createTenant();
const stranger = await gateway.createTenant();

describe("Idempotency-Key", () => {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const makeKey = async () =>
    (await tenant.owner.post("/v1/api-keys", { label: "k", scopes: [] })).body.data as { id: string };
  /** The counts of what POSTs write for the tenant. */
  const counts = async (): Promise<Record<string, number>> => {
    const { tenantId } = tenant;
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from audit_log where tenant_id = ${tenantId}) as audited,
             (select count(*)::int from api_keys where tenant_id = ${tenantId}) as keys,
             (select count(*)::int from users where tenant_id = ${tenantId}) as users,
             (select count(*)::int from second_factors where tenant_id = ${tenantId}) as factors,
             (select count(*)::int from recovery_codes where tenant_id = ${tenantId}) as codes,
             (select count(*)::int from idempotency_records where tenant_id = ${tenantId}) as records`.execute(
      gateway.db,
    );
    return rows[0] ?? {};
  };

  const newUser = () => ({ email: `a${next()}@a.example`, name: "A", role: "viewer" });
  const CASES: Record<string, () => Promise<(KeyedPost & { client?: ApiClient })[]>> = {
    "/v1/api-keys": async () => [
      {
        ...{ path: "/v1/api-keys", body: { label: "ERP", scopes: ["read:crm"] } },
        ...{ otherBody: { label: "Z", scopes: ["read:crm"] }, refusedBody: { label: "", scopes: [] } },
        ...{ secrets: ["key"], writes: { keys: 1, audited: 1 } },
      },
    ],
    "/v1/api-keys/:id/rotate": async () => [
      {
        ...{ path: `/v1/api-keys/${(await makeKey()).id}/rotate`, body: {}, otherBody: { overlapHours: 1 } },
        ...{ secrets: ["key"], writes: { keys: 1, audited: 2 } },
      },
    ],
    "/v1/users": async () => {
      const taken = { ...newUser(), email: tenant.email };
      const [one, other] = [{ ...newUser(), password: PASSWORD }, newUser()];
      return [
        {
          ...{ path: "/v1/users", body: one, otherBody: { ...one, name: "Z" }, refusedBody: taken },
          ...{ isOneAtATime: true, writes: { users: 1, audited: 1 } },
        },
        {
          ...{ path: "/v1/users", body: other, otherBody: { ...other, name: "Z" }, refusedBody: taken },
          ...{ secrets: ["setup.token"], writes: { users: 1, audited: 2 } },
        },
      ];
    },
    "/v1/users/:id/setup-link": async () => [
      {
        ...{ path: `/v1/users/${(await gateway.createStaff(tenant)).id}/setup-link`, body: {} },
        ...{ secrets: ["token"], writes: { audited: 1 } },
      },
    ],
    "/v1/me/password": async () => {
      const body = { currentPassword: PASSWORD, newPassword: NEXT };
      return [
        {
          ...{ path: "/v1/me/password", body, client: (await gateway.createStaff(tenant)).client },
          ...{
            otherBody: { ...body, newPassword: `${NEXT}!` },
            refusedBody: { ...body, currentPassword: NEXT },
          },
          ...{ isOneAtATime: true, writes: { audited: 1 } },
        },
      ];
    },
    "/v1/me/second-factor": async () => [
      {
        ...{ path: "/v1/me/second-factor", client: (await gateway.createStaff(tenant)).client },
        ...{ body: { currentPassword: PASSWORD }, otherBody: { currentPassword: NEXT } },
        ...{ refusedBody: { currentPassword: NEXT }, secrets: ["secret", "uri"], isOneAtATime: true },
        ...{ writes: { factors: 1 } },
      },
    ],
    "/v1/me/second-factor/confirm": async () => {
      const { client } = await gateway.createStaff(tenant);
      const app = authenticator(
        (await client.post("/v1/me/second-factor", { currentPassword: PASSWORD })).body.data.secret,
      );
      const body = { code: app.code() };
      return [
        {
          ...{ path: "/v1/me/second-factor/confirm", client, body, otherBody: { code: app.code(5) } },
          ...{ refusedBody: { code: app.code(5) }, secrets: ["recoveryCodes"], isOneAtATime: true },
          ...{ writes: { codes: 10, audited: 1 } },
        },
      ];
    },
  };

  // Only the rows are read. A sign-in has no tenant before it succeeds.
  const POSTS = routes({ guard: {} } as never).filter(
    ({ method, role }) => method === "POST" && role !== "anyone",
  );

  test.each(POSTS.map(({ path }) => path))("POST %s takes effect once under it", async (path) => {
    const posts = (await CASES[path]?.()) ?? [];
    if (posts.length === 0) throw new Error("this route has no case in the table");
    for (const { client = tenant.owner, ...post } of posts)
      await checkKeyedPost(post, { client, stranger: stranger.owner, counts });
  });

  test("the database has neither a secret nor a plain hash of a password", async () => {
    const key = { "idempotency-key": "secrets" };
    const user = { email: `d${next()}@d.example`, name: "D", role: "viewer" };
    const apiKey = await tenant.owner.post("/v1/api-keys", { label: "S", scopes: [] }, key);
    const created = await tenant.owner.post("/v1/users", user, key);
    const rows = await gateway.db.selectFrom("idempotency_records").selectAll().execute();
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(apiKey.body.data.key.split("_")[3]);
    expect(stored).not.toContain(created.body.data.setup.token);
    const record = rows.find((row) => row.key === "secrets" && row.route === "POST /v1/users");
    expect(record?.fingerprint).toHaveLength(32);
    const { email, name, role } = user;
    const plain = createHash("sha256").update(`/v1/users\n${JSON.stringify({ email, name, role })}`);
    expect(record?.fingerprint).not.toEqual(plain.digest());
  });

  test("a key of POST /v1/me/password belongs to its user", async () => {
    const key = { "idempotency-key": "my-password" };
    const body = { currentPassword: PASSWORD, newPassword: NEXT };
    const [one, other] = [await gateway.createStaff(tenant), await gateway.createStaff(tenant)];
    expect((await one.client.post("/v1/me/password", body, key)).status).toBe(200);
    const reused = await other.client.post("/v1/me/password", body, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    const login = { email: other.email, password: PASSWORD };
    expect((await apiClient(gateway.url).post("/v1/auth/login", login)).status).toBe(200);
  });

  test("a request is recognized on another replica, which deletes expired records, and while signing keys rotate", async () => {
    const key = { "idempotency-key": "rotated" };
    const body = { label: "Rotated", scopes: [] };
    const first = await tenant.owner.post("/v1/api-keys", body, key);
    await sql`
      insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
      values (${tenant.tenantId}, 'POST /v1/api-keys', 'old', '', '{}', now() - interval '24 hours')`.execute(
      gateway.db,
    );
    const replica = await gateway.startReplica({ TOKEN_SIGNING_KEYS: `${KEY_2},${KEY_1}` });
    const again = await apiClient(replica.url, bearer(tenant.token)).post("/v1/api-keys", body, key);
    expect(again.body.data).toEqual({ ...first.body.data, key: null });
    await until("the old record to go", async () => {
      const { rows } = await sql`select from idempotency_records where key = 'old'`.execute(gateway.db);
      return rows.length === 0;
    });
  });
});
