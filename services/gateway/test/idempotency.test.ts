// Idempotency-Keys (interface §4): the database has neither a secret nor a plain hash of one. packages/idempotency tests what all
// services have in common, and tests/contract/api-examples repeats every POST.
import { createHash } from "node:crypto";
import { until } from "@tradepost/testing";
import { sql } from "kysely";
import { OTHER_PASSWORD, outcome, PASSWORD, useGateway } from "./support/test-gateway.ts";

const [KEY_1, KEY_2] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString("base64")}`);

const gateway = await useGateway({ TOKEN_SIGNING_KEYS: String(KEY_1) });
const tenant = await gateway.createTenant();

describe("Idempotency-Key", () => {
  test("the database has neither a secret nor a plain hash of a password", async () => {
    const key = { "idempotency-key": "secrets" };
    const user = { email: "d@d.example", name: "D", role: "viewer" };
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
    const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD };
    const [one, other] = [await gateway.createStaff(tenant), await gateway.createStaff(tenant)];
    expect((await one.client.post("/v1/me/password", body, key)).status).toBe(200);
    const reused = await other.client.post("/v1/me/password", body, key);
    expect(outcome(reused)).toEqual([422, "idempotency_key_reused"]);
    expect((await gateway.signIn(other.email)).status).toBe(200);
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
    const again = await gateway.as(tenant.token, replica.url).post("/v1/api-keys", body, key);
    expect(again.body.data).toEqual({ ...first.body.data, key: null });
    await until("the old record to go", async () => {
      const { rows } = await sql`select from idempotency_records where key = 'old'`.execute(gateway.db);
      return rows.length === 0;
    });
  });
});
