// Idempotency-Key on every authenticated POST of the gateway: the work is done once, and a repeated request gets the first
// response, in which a secret is null.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer, type ClientResponse } from "@tradepost/testing";
import type { User } from "../src/user/user.ts";
import { insertUser } from "../src/user/user-store.ts";
import { cheapHash } from "./support/cheap-hash.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const PASSWORD = "correct horse battery";
const NEXT = "a horse of another colour";
const [KEY_1, KEY_2] = [1, 2].map((n) => `k${n}:${Buffer.alloc(32, n).toString("base64")}`);

describe("Idempotency-Key", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    gateway = await startTestGateway({ TOKEN_SIGNING_KEYS: String(KEY_1) });
    tenant = await gateway.createTenant();
  });
  afterAll(() => gateway.stop());

  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  async function createStaff(role: User["role"] = "viewer") {
    const email = `${role}${next()}@${tenant.slug}.example`;
    const user = { email, name: role, role, passwordHash: cheapHash(PASSWORD) };
    const { id } = await insertUser({ db: gateway.db, tenantId: tenant.tenantId }, user);
    const { body } = await apiClient(gateway.url).post("/v1/auth/login", { email, password: PASSWORD });
    return { id, email, client: apiClient(gateway.url, bearer(body.data.token)) };
  }
  const makeKey = async () =>
    (await tenant.owner.post("/v1/api-keys", { label: "k", scopes: [] })).body.data as { id: string };
  const auditCount = async () =>
    Number(
      (
        await gateway.db
          .selectFrom("audit_log")
          .select((is) => is.fn.countAll().as("count"))
          .where("tenant_id", "=", tenant.tenantId)
          .executeTakeFirstOrThrow()
      ).count,
    );
  const replayed = ({ headers }: ClientResponse) => headers.get("idempotent-replayed");

  interface Request {
    readonly path: string;
    readonly body?: Record<string, unknown>;
    readonly client?: ApiClient;
    /** The data of a replay, given the data of the first response. */
    readonly shown: (data: Record<string, unknown>) => unknown;
  }
  test.each<[string, () => Promise<Request> | Request]>([
    [
      "POST /v1/api-keys",
      () => ({
        path: "/v1/api-keys",
        body: { label: "ERP", scopes: ["read:crm"] },
        shown: (data) => ({ ...data, key: null }),
      }),
    ],
    [
      "POST /v1/api-keys/{id}/rotate",
      async () => ({
        path: `/v1/api-keys/${(await makeKey()).id}/rotate`,
        shown: (data) => ({ ...data, key: null }),
      }),
    ],
    [
      "POST /v1/users with a password",
      () => ({
        path: "/v1/users",
        body: { email: `a${next()}@a.example`, name: "A", role: "viewer", password: PASSWORD },
        shown: (data) => data,
      }),
    ],
    [
      "POST /v1/users without a password",
      () => ({
        path: "/v1/users",
        body: { email: `b${next()}@b.example`, name: "B", role: "viewer" },
        shown: (data) => ({ ...data, setup: { ...(data.setup as object), token: null } }),
      }),
    ],
    [
      "POST /v1/users/{id}/setup-link",
      async () => ({
        path: `/v1/users/${(await createStaff()).id}/setup-link`,
        shown: (data) => ({ ...data, token: null }),
      }),
    ],
    [
      "POST /v1/me/password",
      async () => ({
        path: "/v1/me/password",
        body: { currentPassword: PASSWORD, newPassword: NEXT },
        client: (await createStaff()).client,
        shown: (data) => data,
      }),
    ],
  ])("%s is done once", async (_route, prepare) => {
    const { path, body, client = tenant.owner, shown } = await prepare();
    const key = { "idempotency-key": `once-${next()}` };
    const before = await auditCount();
    const first = await client.post(path, body, key);
    expect([200, 201]).toContain(first.status);
    expect(replayed(first)).toBeNull();
    const entries = await auditCount();
    expect(entries).toBeGreaterThan(before);
    const again = await client.post(path, body, key);
    expect([again.status, again.body.data]).toEqual([first.status, shown(first.body.data)]);
    expect(replayed(again)).toBe("true");
    expect(again.headers.get("cache-control")).toBe("no-store");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await auditCount()).toBe(entries);
    const other = await client.post(path, { ...body, ...changed(path) }, key);
    if (changed(path) !== null) {
      expect([other.status, other.body.error?.code]).toEqual([422, "idempotency_key_reused"]);
    }
  });

  test("of twins at the same moment one creates a key, and both get it", async () => {
    const key = { "idempotency-key": "twins" };
    const post = () => tenant.owner.post("/v1/api-keys", { label: "Twin", scopes: [] }, key);
    const responses = await Promise.all([post(), post(), post()]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(responses.filter(({ body }) => body.data.key !== null)).toHaveLength(1);
  });

  test("a failure is not stored, and a malformed key is refused", async () => {
    const key = { "idempotency-key": "after-a-failure" };
    const user = { email: tenant.email, name: "Twin", role: "viewer" };
    expect((await tenant.owner.post("/v1/users", user, key)).status).toBe(409);
    const email = `c${next()}@c.example`;
    const created = await tenant.owner.post("/v1/users", { ...user, email }, key);
    expect([created.status, replayed(created)]).toEqual([201, null]);
    for (const path of ["/v1/users", `/v1/users/${tenant.ownerId}/setup-link`]) {
      const refused = await tenant.owner.post(path, {}, { "idempotency-key": "a b" });
      expect(refused.status).toBe(422);
      expect(refused.body.error.details[0].path).toBe("Idempotency-Key");
    }
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
    const [one, other] = [await createStaff(), await createStaff()];
    expect((await one.client.post("/v1/me/password", body, key)).status).toBe(200);
    const reused = await other.client.post("/v1/me/password", body, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    const login = { email: other.email, password: PASSWORD };
    expect((await apiClient(gateway.url).post("/v1/auth/login", login)).status).toBe(200);
  });

  test("a request is recognized on another replica and while signing keys rotate", async () => {
    const key = { "idempotency-key": "rotated" };
    const body = { label: "Rotated", scopes: [] };
    const first = await tenant.owner.post("/v1/api-keys", body, key);
    const replica = await gateway.startReplica({ TOKEN_SIGNING_KEYS: `${KEY_2},${KEY_1}` });
    const again = await apiClient(replica.url, bearer(tenant.token)).post("/v1/api-keys", body, key);
    expect(again.body.data).toEqual({ ...first.body.data, key: null });
  });

  /** Other input for the same path, or null if the route has none. */
  function changed(path: string): Record<string, unknown> | null {
    if (path.endsWith("setup-link")) return null;
    if (path.endsWith("rotate")) return { overlapHours: 1 };
    return path === "/v1/me/password"
      ? { newPassword: `${NEXT}!` }
      : path === "/v1/users"
        ? { name: "Z" }
        : { label: "Z" };
  }
});
