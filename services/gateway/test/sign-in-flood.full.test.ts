// Many sign-ins at once: few passwords are hashed at a time, so that other requests do not wait for them. The time of a
// response does not show whether an e-mail exists.
import { holdLocks } from "./support/hold-locks.ts";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ METRICS_PORT: "0" }, {});
const tenant = await gateway.createTenant();

describe("many sign-ins at once", () => {
  test("do not fail any request of a tenant, and get 429 at once when the queue is full", async () => {
    let isOver = false;
    const flood = Promise.all(
      Array.from({ length: 30 }, (_, index) => gateway.signIn(`nobody${index}@example.com`)),
    ).finally(() => {
      isOver = true;
    });
    const reads: number[] = [];
    // These requests open database connections, which need the threads that hash.
    while (!isOver) {
      const responses = await Promise.all(Array.from({ length: 30 }, () => tenant.owner.get("/v1/me")));
      reads.push(...responses.map(({ status }) => status));
    }
    expect(new Set(reads)).toEqual(new Set([200]));
    const responses = await flood;
    const refused = responses.filter(({ status }) => status === 429);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401, 429]));
    // Two run and 16 wait, so 12 are refused. On a slow machine a few may start in time, or wait too long.
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const { headers, body } of refused) {
      expect([headers.get("retry-after"), body.error.code]).toEqual(["2", "rate_limited"]);
    }
    const counted = await gateway.metrics();
    expect(counted('requests_limited_total{limit="password_hash"}')).toBe(refused.length);
  });

  test("a failed sign-in of a known e-mail writes its audit entry only after its response", async () => {
    const replica = await gateway.startReplica();
    const log = await holdLocks(gateway.databaseUrl, "lock table audit_log in exclusive mode");
    const headers = { "user-agent": "Guesser" };
    const failed = await gateway.signIn(tenant.email, "not the password", { url: replica.url, headers });
    expect(failed.status).toBe(401);
    await log.waiters(1);
    const stopping = replica.stop();
    await log.release();
    await stopping;
    expect(await tenant.audit("action=auth.login_failed")).toMatchObject([
      {
        actor: { id: tenant.ownerId },
        requestId: failed.headers.get("x-request-id"),
        ip: "127.0.0.1",
        userAgent: "Guesser",
      },
    ]);
  });
});
