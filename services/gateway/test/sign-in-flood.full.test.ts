// Many sign-ins at once: few passwords are hashed at a time, so that other requests do not wait for them. The time of a
// response does not show whether an e-mail exists.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { type ApiClient, until } from "@tradepost/testing";
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
  });

  test.each([
    ["adds users with passwords", (owner: ApiClient, id: string) => owner.post("/v1/users", newUser(id))],
    [
      "sets a user's password",
      (owner: ApiClient, id: string) => owner.patch(`/v1/users/${id}`, { password: PASSWORD }),
    ],
  ])("an admin of another tenant who %s all the time keeps nobody from signing in", async (_, act) => {
    const busy = await gateway.createTenant();
    const { body } = await busy.owner.post("/v1/users", { ...newUser("first"), password: null });
    const signInAsOwner = (headers: Record<string, string> = {}) =>
      gateway.signIn(tenant.email, tenant.password, { headers });
    const [device = ""] = (await signInAsOwner()).headers
      .getSetCookie()
      .filter((cookie) => cookie.includes("device"));
    let isOver = false;
    let refusedCount = 0;
    const flood = Promise.all(
      Array.from({ length: 24 }, async () => {
        while (!isOver) {
          const { status } = await act(busy.owner, body.data.id);
          if (status === 429) refusedCount += 1;
        }
      }),
    );
    await until("the queue to refuse the admin", () => refusedCount > 0);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await signInAsOwner()).status, (await signInAsOwner({ cookie: device })).status);
    }
    isOver = true;
    await flood;
    expect(new Set(statuses)).toEqual(new Set([200]));
    const counted = await gateway.metrics();
    expect(counted('requests_limited_total{limit="password_hash"}')).toBeGreaterThanOrEqual(refusedCount);
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

const PASSWORD = "correct horse battery staple";

/** A user with an e-mail of its own, whatever `name` is. */
function newUser(name: string) {
  return { email: `${randomUUID()}@example.com`, name, role: "viewer", password: PASSWORD };
}
