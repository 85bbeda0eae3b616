// API keys over HTTP: the secret is shown once, and a revocation or expiry takes effect on the next request on every replica. A 401 does
// not say why. A key's time of last use is the time of the request, is written from time to time, and never goes back.
import { createHash } from "node:crypto";
import { createLogger, sleep } from "@tradepost/runtime";
import { faultPaths, until } from "@tradepost/testing";
import { startLastUsed } from "../src/identity/api-keys/last-used.ts";
import { callTool } from "./support/mcp-requests.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

const logger = createLogger("test", "silent");

const gateway = await useGateway();
const tenant = await gateway.createTenant();
const urls = [gateway.url, (await gateway.startReplica()).url];

const create = (label = "Shop") => gateway.createKey(tenant, ["read:crm"], { label });
const read = async (id: string) => (await tenant.owner.get(`/v1/api-keys/${id}`)).body.data;

describe("API keys", () => {
  test("creation shows the secret once, with the fields that reads show, and stores a SHA-256 of it", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const scopes = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];
    const wanted = { label: "ERP", scopes, expiresAt };
    const { status, body, headers } = await tenant.owner.post("/v1/api-keys", wanted);
    expect(status).toBe(201);
    const { key, ...shown } = body.data;
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    expect(headers.get("location")).toBe(`/v1/api-keys/${shown.id}`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      keyId: key.split("_")[2],
      ...wanted,
      allowedAddresses: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });

    const read = await tenant.owner.get(`/v1/api-keys/${shown.id}`);
    expect(read.body).toEqual({ success: true, data: shown });
    const list = await tenant.owner.get("/v1/api-keys?limit=1");
    expect(list.body.data).toEqual([shown]);
    const secret = key.split("_")[3];
    expect(read.text + list.text).not.toContain(secret);
    const stored = gateway.db.selectFrom("api_keys").selectAll().where("id", "=", shown.id);
    const row = await stored.executeTakeFirstOrThrow();
    expect(row.secret_hash).toEqual(createHash("sha256").update(secret).digest());
    expect(JSON.stringify({ ...row, secret_hash: null })).not.toContain(secret);
  });

  test("a key acts as an editor of its tenant, with its scopes and with its label as name, and its use is recorded", async () => {
    const { id, client } = await create("Läden & Söhne ✓");
    const { body } = await client.get("/v1/me");
    expect(body.data).toEqual({
      actor: { type: "api_key", id, name: "Läden & Söhne ✓", role: "editor", scopes: ["read:crm"] },
      tenant: { id: tenant.tenantId, slug: tenant.slug, name: "Test Shop", modules: ["content", "crm"] },
    });
    const lastUsedAt = await until("the time of last use", async () => (await read(id)).lastUsedAt);
    expect(lastUsedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("a key with invalid fields is not made, and each is named", async () => {
    const before = (await tenant.owner.get("/v1/api-keys?limit=1")).body.data[0]?.id;
    const past = "2020-01-01T00:00:00.000Z";
    for (const [body, paths] of [
      [{}, ["label", "scopes"]],
      [
        { label: "  ", scopes: ["read:crm", "write:everything"], tenantId: "y" },
        ["label", "scopes[1]", "tenantId"],
      ],
      [{ label: "Shop", scopes: ["read:crm", "read:crm"], expiresAt: past }, ["expiresAt", "scopes"]],
    ] as const) {
      const response = await tenant.owner.post("/v1/api-keys", body);
      expect(outcome(response)).toEqual([422, "validation_error"]);
      expect(faultPaths(response)).toEqual(paths);
    }
    expect((await tenant.owner.get("/v1/api-keys?limit=1")).body.data[0]?.id).toBe(before);
  });
});

describe("the time of a key's last use", () => {
  const makeKey = async () => ({ tenantId: tenant.tenantId, id: (await create()).id });
  const lastUsedAt = async ({ id }: { id: string }) => {
    const { lastUsedAt: at } = await read(id);
    return at === null ? null : new Date(at).getTime();
  };
  const start = (writeEveryMs: number) =>
    startLastUsed(gateway.db, logger, { writeEveryMs, checkEveryMs: 5 });

  test("is when the key was used, not when the time was written", async () => {
    const key = await makeKey();
    const lastUsed = startLastUsed(gateway.db, logger);
    const before = Date.now();
    lastUsed.record(key);
    const after = Date.now();
    await until("time to pass", () => Date.now() > after + 50);
    await lastUsed.stop();
    const at = await lastUsedAt(key);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
  });

  test("includes a use within the minute after a write", async () => {
    const key = await makeKey();
    const lastUsed = start(60_000);
    lastUsed.record(key);
    const first = await until("the first write", () => lastUsedAt(key));
    await until("another millisecond", () => Date.now() > first);
    const before = Date.now();
    lastUsed.record(key);
    await sleep(50);
    expect(await lastUsedAt(key)).toBe(first);
    await lastUsed.stop();
    expect(await lastUsedAt(key)).toBeGreaterThanOrEqual(before);
  });

  test("is written again a minute later without another use", async () => {
    const key = await makeKey();
    const lastUsed = start(20);
    lastUsed.record(key);
    const first = await until("the first write", () => lastUsedAt(key));
    await until("another millisecond", () => Date.now() > first);
    lastUsed.record(key);
    await until("the second write", async () => Number(await lastUsedAt(key)) > first);
    await lastUsed.stop();
  });

  test("is not overwritten by a replica with an earlier use", async () => {
    const key = await makeKey();
    const [early, late] = [startLastUsed(gateway.db, logger), startLastUsed(gateway.db, logger)];
    early.record(key);
    const then = Date.now();
    await until("another millisecond", () => Date.now() > then);
    late.record(key);
    await late.stop();
    const latest = await lastUsedAt(key);
    await early.stop();
    expect(await lastUsedAt(key)).toBe(latest);
  });
});

describe("revocation", () => {
  const everywhere = (key: string) =>
    Promise.all(urls.map(async (url) => (await gateway.as(key, url).get("/v1/me")).status));
  const expire = (id: string, expiresAt = new Date(Date.now() - 1)) =>
    gateway.update("api_keys", { id }, { expires_at: expiresAt });

  test("a revocation takes effect on the next request on every replica, and a second one does not change its time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key, client } = await gateway.createKey(tenant);
      expect(await everywhere(key)).toEqual([200, 200]);
      const revoke = () => tenant.owner.delete(`/v1/api-keys/${id}`);
      const { status, body } = await revoke();
      expect([status, body.data]).toMatchObject([200, { id, revokedAt: expect.any(String) }]);
      expect(await everywhere(key)).toEqual([401, 401]);
      expect((await callTool(client, "whoami")).status).toBe(401);
      const { revokedAt } = body.data;
      const again = await revoke();
      expect([again.status, again.body.data.revokedAt]).toEqual([200, revokedAt]);
      expect((await read(id)).revokedAt).toBe(revokedAt);
    }
  });

  test("so does an expiry, by the database's clock", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { id, key } = await gateway.createKey(tenant, [], { expiresAt });
    expect(await everywhere(key)).toEqual([200, 200]);
    await expire(id);
    expect(await everywhere(key)).toEqual([401, 401]);
  });

  test("so does a module that is switched off and on", async () => {
    const { key } = await gateway.createKey(tenant);
    const modules = () =>
      Promise.all(
        urls.map(async (url) => (await gateway.as(key, url).get("/v1/me")).body.data.tenant.modules),
      );
    const put = (active: boolean) => tenant.owner.put("/v1/modules/crm", { active });
    expect((await put(false)).body.data).toEqual({ name: "crm", active: false });
    expect(await modules()).toEqual(urls.map(() => ["content"]));
    await put(true);
    expect(await modules()).toEqual(urls.map(() => ["content", "crm"]));
    const listed = await tenant.owner.get("/v1/modules");
    expect(listed.body.data).toEqual([
      { name: "content", active: true },
      { name: "crm", active: true },
    ]);
  });

  test("unknown, malformed, revoked and expired keys get the same response, byte for byte", async () => {
    const revoked = await gateway.createKey(tenant);
    await tenant.owner.delete(`/v1/api-keys/${revoked.id}`);
    const expired = await gateway.createKey(tenant);
    await expire(expired.id, new Date(0));
    const { key } = await gateway.createKey(tenant);
    const wrongSecret = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const unknown = `sk_live_${"Z".repeat(12)}_${"Z".repeat(43)}`;
    const responses = await Promise.all(
      [revoked.key, expired.key, wrongSecret, unknown, "sk_live_x", "nonsense", "a.b.c"].map((token) =>
        gateway.as(token).get("/v1/me", { "x-request-id": "same" }),
      ),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(401);
  });
});
