// A key's time of last use is the time of the request, is written from time to time, and never goes back.
import { afterAll, describe, expect, test } from "@jest/globals";
import { createLogger, sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { startLastUsed } from "../src/identity/api-keys/last-used.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const logger = createLogger("test", "silent");

const gateway = await startTestGateway();
const tenant = await gateway.createTenant();
afterAll(() => gateway.stop());

describe("the time of a key's last use", () => {
  async function makeKey() {
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "k", scopes: [] });
    return { tenantId: tenant.tenantId, id: body.data.id as string };
  }
  const lastUsedAt = async ({ id }: { id: string }) => {
    const { body } = await tenant.owner.get(`/v1/api-keys/${id}`);
    return body.data.lastUsedAt === null ? null : new Date(body.data.lastUsedAt).getTime();
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
