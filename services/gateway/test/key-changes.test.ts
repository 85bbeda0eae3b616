// API keys are relabelled, expire earlier, and are rotated with an overlap in which both keys work.
import { createLogger } from "@tradepost/runtime";
import type { ClientResponse } from "@tradepost/testing";
import { startLastUsed } from "../src/identity/api-keys/last-used.ts";
import { hashSecret } from "../src/identity/signer.ts";
import { holdLocks } from "./support/hold-locks.ts";
import { isIn, outcome, useGateway } from "./support/test-gateway.ts";

const HOUR_MS = 3_600_000;

const gateway = await useGateway();
const tenant = await gateway.createTenant();

describe("changes of API keys", () => {
  const create = async (more: object = {}) => {
    const scopes = ["read:crm", "write:content"];
    const { client: _, ...created } = await gateway.createKey(tenant, scopes, { label: "Shop", ...more });
    return created;
  };
  const patch = (id: string, change: unknown) => tenant.owner.patch(`/v1/api-keys/${id}`, change);
  const rotate = (id: string, body?: unknown) => tenant.owner.post(`/v1/api-keys/${id}/rotate`, body);
  const read = async (id: string) => (await tenant.owner.get(`/v1/api-keys/${id}`)).body.data;
  const works = (key: string) => isIn(gateway.as(key));
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const audit = (id: string): Promise<Record<string, unknown>[]> => tenant.audit(`targetId=${id}`);
  const expire = (id: string) => gateway.update("api_keys", { id }, { expires_at: new Date(0) });

  test("a key without a checksum, made earlier, is accepted", async () => {
    const { id, key } = await create();
    const earlier = "x".repeat(43);
    await gateway.update("api_keys", { id }, { secret_hash: hashSecret(earlier) });
    expect(await works(key)).toBe(false);
    expect(await works(key.replace(/[^_]+$/, earlier))).toBe(true);
  });

  test("label and expiry change, and the audit log says from what to what", async () => {
    const { key, ...shown } = await create();
    const expiresAt = inHours(2);
    const changed = await patch(shown.id, { label: "ERP", expiresAt });
    expect([changed.status, changed.body.data]).toEqual([200, { ...shown, label: "ERP", expiresAt }]);
    const earlier = inHours(1);
    expect((await patch(shown.id, { expiresAt: earlier })).body.data.expiresAt).toBe(earlier);
    expect(await read(shown.id)).toEqual({ ...shown, label: "ERP", expiresAt: earlier });
    expect(await works(key)).toBe(true);
    const [second, first] = await audit(shown.id);
    expect(first).toMatchObject({
      action: "api_key.updated",
      changes: { label: { from: "Shop", to: "ERP" }, expiresAt: { from: null, to: expiresAt } },
    });
    expect(second).toMatchObject({ changes: { expiresAt: { from: expiresAt, to: earlier } } });
  });

  test("a change that changes nothing writes no audit entry", async () => {
    const expiresAt = inHours(1);
    const { id, key, ...shown } = await create({ expiresAt });
    for (const change of [{}, { label: "Shop" }, { expiresAt }, { label: "Shop", expiresAt }]) {
      const response = await patch(id, change);
      expect([response.status, response.body.data]).toEqual([200, { id, ...shown }]);
    }
    const unlimited = await create();
    expect((await patch(unlimited.id, { expiresAt: null })).status).toBe(200);
    for (const target of [id, unlimited.id]) expect(await audit(target)).toHaveLength(1);
    expect(await works(key)).toBe(true);
  });

  test.each([
    ["removed", null],
    ["put off", inHours(9)],
    ["in the past", "2020-01-01T00:00:00Z"],
    ["not a time", "tomorrow"],
  ])("an expiry cannot be %s", async (_what, expiresAt) => {
    const before = await create({ expiresAt: inHours(8) });
    const response = await patch(before.id, { label: "New", expiresAt });
    expect(outcome(response)).toEqual([422, "validation_error"]);
    expect(response.body.error.details).toEqual([{ path: "expiresAt", message: expect.any(String) }]);
    expect(await read(before.id)).toMatchObject({ label: "Shop", expiresAt: before.expiresAt });
  });

  test("a rotation makes a key with the same label and scopes; the old one works until the overlap ends", async () => {
    const old = await create();
    const rotated = await rotate(old.id);
    expect(rotated.status).toBe(201);
    expect(rotated.headers.get("cache-control")).toBe("no-store");
    const { key, rotatedFrom, ...shown } = rotated.body.data;
    expect(rotated.headers.get("location")).toBe(`/v1/api-keys/${shown.id}`);
    expect(key).toMatch(new RegExp(`^sk_live_${shown.keyId}_[0-9A-Za-z]{43}$`));
    expect(rotatedFrom).toBe(old.id);
    expect(shown).toMatchObject({
      label: "Shop",
      scopes: ["read:crm", "write:content"],
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(await read(shown.id)).toEqual(shown);
    expect([await works(old.key), await works(key)]).toEqual([true, true]);
    const { expiresAt } = await read(old.id);
    const overlapMs = new Date(expiresAt).getTime() - new Date(shown.createdAt).getTime();
    expect(overlapMs).toBe(24 * HOUR_MS);

    await expire(old.id);
    expect([await works(old.key), await works(key)]).toEqual([false, true]);
    expect(JSON.stringify([await audit(old.id), await audit(shown.id)])).not.toContain(key.split("_")[3]);
    const [entry] = await audit(old.id);
    const newKey = { id: shown.id, keyId: shown.keyId };
    expect(entry).toMatchObject({
      action: "api_key.rotated",
      target: { type: "api_key", id: old.id },
      changes: { keyId: old.keyId, overlapHours: 24, expiresAt, newKey },
    });
    expect((await audit(shown.id))[0]).toMatchObject({
      action: "api_key.created",
      changes: { rotatedFrom: old.id },
    });
  });

  test("a rotation never puts off the expiry of the old key, and the new one lives as long as it did", async () => {
    const old = await create({ expiresAt: inHours(5) });
    const { data } = (await rotate(old.id, { overlapHours: 168 })).body;
    expect((await read(old.id)).expiresAt).toBe(old.expiresAt);
    const lifetime = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
      new Date(expiresAt).getTime() - new Date(createdAt).getTime();
    expect(lifetime(data)).toBe(lifetime(old));
  });

  test("a key in its overlap is not rotated again, but the new one is", async () => {
    const old = await create();
    const { data } = (await rotate(old.id)).body;
    expect(outcome(await rotate(old.id))).toEqual([409, "rotation_in_progress"]);
    expect(outcome(await rotate(old.id, { overlapHours: 0 }))).toEqual([409, "rotation_in_progress"]);
    expect((await rotate(data.id, { overlapHours: 0 })).status).toBe(201);
    expect([await works(old.key), await works(data.key)]).toEqual([true, false]);
  });

  test("of a tenant with 100 live keys, one is added only in place of another, and rotated with one overlap at a time", async () => {
    const { owner } = await gateway.createTenant();
    const add = () => owner.post("/v1/api-keys", { label: "Shop", scopes: [] });
    const added: ClientResponse[] = [];
    while (added.length < 110) added.push(...(await Promise.all(Array.from({ length: 11 }, add))));
    const keys = added.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(keys).toHaveLength(100);
    const refused = added.filter(({ status }) => status !== 201).map(outcome);
    expect(refused).toEqual(Array(10).fill([409, "api_key_limit"]));
    const rotated = (index: number, overlapHours: number) =>
      owner.post(`/v1/api-keys/${keys[index]}/rotate`, { overlapHours });
    expect((await rotated(0, 1)).status).toBe(201);
    expect(outcome(await rotated(1, 1))).toEqual([409, "api_key_limit"]);
    expect((await rotated(1, 0)).status).toBe(201);
    for (const index of [0, 2]) {
      expect(outcome(await add())).toEqual([409, "api_key_limit"]);
      expect((await owner.delete(`/v1/api-keys/${keys[index]}`)).status).toBe(200);
    }
    expect((await add()).status).toBe(201);
  });

  test.each([24, 0])(
    "of two concurrent rotations with an overlap of %d hours one succeeds",
    async (hours) => {
      const old = await create();
      const rotation = () => rotate(old.id, { overlapHours: hours });
      const raced = await gateway.race("api_keys where id", old.id, [rotation, rotation]);
      expect(raced.map(({ status }) => status).sort()).toEqual([201, 409]);
      const made = (await audit(old.id)).filter(({ action }) => action === "api_key.rotated");
      expect(made).toHaveLength(1);
    },
  );

  test("a revoked key is neither changed nor rotated, also if the revocation comes first in a race", async () => {
    const { id } = await create();
    const row = await holdLocks(gateway.databaseUrl, "select from api_keys where id = $1 for update", [id]);
    const racing = [patch(id, { label: "x" }), rotate(id)];
    await row.waiters(2);
    await row.query("update api_keys set revoked_at = now() where id = $1", [id]);
    await row.release();
    for (const response of await Promise.all(racing)) {
      expect(outcome(response)).toEqual([409, "key_revoked"]);
    }
    expect(await read(id)).toMatchObject({ label: "Shop", expiresAt: null });
  });

  test("an expired key can be relabelled but not rotated", async () => {
    const { id } = await create();
    await expire(id);
    expect((await patch(id, { label: "Old shop" })).status).toBe(200);
    expect(outcome(await patch(id, { expiresAt: inHours(1) }))).toEqual([422, "validation_error"]);
    expect(outcome(await rotate(id))).toEqual([409, "conflict"]);
  });

  test("an overlap has 0 to 168 whole hours", async () => {
    const { id } = await create();
    for (const overlapHours of [-1, 169, 1.5, "24"])
      expect(outcome(await rotate(id, { overlapHours }))).toEqual([422, "validation_error"]);
    expect((await read(id)).expiresAt).toBeNull();
  });

  test("a revoked key is never shown as used after its revocation", async () => {
    const { id } = await create();
    // Long enough ago that a difference between the clocks does not matter.
    const revokedAt = new Date(Date.now() - HOUR_MS);
    await gateway.update("api_keys", { id }, { revoked_at: revokedAt });
    const lastUsed = startLastUsed(gateway.db, createLogger("test", "silent"));
    lastUsed.record({ tenantId: tenant.tenantId, id });
    await lastUsed.stop();
    const time = revokedAt.toISOString();
    expect(await read(id)).toMatchObject({ lastUsedAt: time, revokedAt: time });
  });
});
