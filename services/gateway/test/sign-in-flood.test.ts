// Many sign-ins at once: few passwords are hashed at a time, so that nobody else waits for them; and what a response's time
// could tell about an e-mail.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import { holdLocks } from "./support/hold-locks.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

describe("many sign-ins at once", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    gateway = await startTestGateway();
    tenant = await gateway.createTenant();
  });
  afterAll(() => gateway.stop());

  const signIn = (email: string, url = gateway.url, headers: Record<string, string> = {}) =>
    apiClient(url).post("/v1/auth/login", { email, password: "wrong password" }, headers);

  test("30 anonymous ones fail no request of a tenant, and those beyond the queue are 429 at once", async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(`nobody${index}@example.com`)),
    ).finally(() => {
      isOver = true;
    });
    const reads: number[] = [];
    // New connections to the database are made meanwhile; they need the threads that hash.
    while (!isOver) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => tenant.owner.get("/v1/me")));
      reads.push(...answers.map(({ status }) => status));
    }
    expect(new Set(reads)).toEqual(new Set([200]));
    const answers = await flood;
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    // Two run and 16 wait; on a slow machine some of those wait too long as well.
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const { headers, body } of refused) {
      expect([headers.get("retry-after"), body.error.code]).toEqual(["2", "rate_limited"]);
    }
  });

  test("a failed sign-in of a known e-mail writes nothing before its response, and its entry afterwards", async () => {
    const replica = await gateway.startReplica();
    const log = await holdLocks(gateway.databaseUrl, "lock table audit_log in exclusive mode");
    const failed = await signIn(tenant.email, replica.url, { "user-agent": "Guesser" });
    expect(failed.status).toBe(401);
    await log.waiters(1);
    const stopping = replica.stop();
    await log.release();
    await stopping;
    const { data } = (await tenant.owner.get("/v1/audit-log?action=auth.login_failed")).body;
    expect(data).toMatchObject([
      {
        actor: { id: tenant.ownerId },
        requestId: failed.headers.get("x-request-id"),
        ip: "127.0.0.1",
        userAgent: "Guesser",
      },
    ]);
  });
});
