// POST /v1/me/password, /v1/me/sessions and /v1/users/{id}/sessions: users change their own password and end their own sessions, and an
// admin sees where a user is signed in, and signs the user out everywhere.
import type { ApiClient } from "@tradepost/testing";
import {
  isIn,
  OTHER_PASSWORD as NEXT,
  outcome,
  type TestTenant,
  useGateway,
} from "./support/test-gateway.ts";

const gateway = await useGateway({ PROXY_HOPS: "1" });

let tenant: TestTenant;
beforeEach(async () => {
  tenant = await gateway.createTenant();
});

const { signIn } = gateway;
const change = (client: ApiClient, currentPassword: string, address?: string) =>
  client.post("/v1/me/password", { currentPassword, newPassword: NEXT }, gateway.from(address));

describe("a user's own password and sessions", () => {
  test("a new password ends all other sessions and replaces the old password", async () => {
    const other = await signIn(tenant.email, tenant.password);
    const changed = await change(tenant.owner, tenant.password);
    expect([changed.status, changed.body.data]).toEqual([200, { endedSessions: 1 }]);
    expect(changed.headers.get("cache-control")).toBe("no-store");
    expect([await isIn(tenant.owner), await isIn(other.client)]).toEqual([true, false]);
    expect((await signIn(tenant.email, tenant.password)).status).toBe(401);
    expect((await signIn(tenant.email, NEXT)).status).toBe(200);
    expect(await tenant.audit("action=auth.password_changed")).toMatchObject([
      { target: { type: "user", id: tenant.ownerId }, changes: { endedCount: 1 } },
    ]);
  });

  test("a wrong current password gives 422 on its field and counts as a failed sign-in", async () => {
    const address = "203.0.113.50";
    for (let count = 0; count < 5; count += 1) {
      const { status, body } = await change(tenant.owner, "not this one", address);
      const fault = { path: "currentPassword", message: "is not your password" };
      expect([status, body.error.details]).toEqual([422, [fault]]);
    }
    const limited = await change(tenant.owner, tenant.password, address);
    expect(outcome(limited)).toEqual([429, "rate_limited"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    const headers = gateway.from(address);
    expect((await signIn(tenant.email, tenant.password, { headers })).status).toBe(429);
    expect(await isIn(tenant.owner)).toBe(true);
    expect((await change(tenant.owner, tenant.password)).status).toBe(200);
  });

  test("only the user can end a session, by its id and once", async () => {
    const second = await signIn(tenant.email, tenant.password);
    const { data } = (await second.client.get("/v1/me/sessions")).body as {
      data: { id: string; current: boolean }[];
    };
    const [here, there] = [data.find(({ current }) => current)?.id, data.find(({ current }) => !current)?.id];
    const stranger = await gateway.createTenant();
    expect((await stranger.owner.delete(`/v1/me/sessions/${there}`)).status).toBe(404);
    const ended = await second.client.delete(`/v1/me/sessions/${there}`);
    expect([ended.status, ended.body.data]).toEqual([200, { id: there, ended: true }]);
    expect([await isIn(tenant.owner), await isIn(second.client)]).toEqual([false, true]);
    expect((await second.client.delete(`/v1/me/sessions/${there}`)).status).toBe(404);
    const log = await second.client.get(`/v1/audit-log?action=auth.logout&targetId=${tenant.ownerId}`);
    expect(log.body.data).toMatchObject([{ changes: { sessionId: there } }]);
    expect((await second.client.delete(`/v1/me/sessions/${here}`)).status).toBe(200);
    expect(await isIn(second.client)).toBe(false);
  });
});

test("sessions are listed newest first, with address and browser, and the own current one is marked", async () => {
  const { id, email } = await gateway.createStaff(tenant, "editor");
  const headers = { "user-agent": "Browser/1.0", "x-forwarded-for": "2001:DB8::1" };
  const { client } = await signIn(email, undefined, { headers });
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const inBrowser = {
    ...{ id: expect.any(String), createdAt: time, lastUsedAt: time, expiresAt: time },
    ...{ ip: "2001:db8::1", userAgent: "Browser/1.0" },
  };
  for (const [by, path, ...marks] of [
    [client, "/v1/me/sessions", { current: true }, { current: false }],
    [tenant.owner, `/v1/users/${id}/sessions`, {}, {}],
  ] as const) {
    const first = await by.get(`${path}?limit=1`);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.body.data).toEqual([{ ...inBrowser, ...marks[0] }]);
    const next = await by.get(`${path}?cursor=${first.body.page.nextCursor}`);
    expect(next.body.data).toMatchObject([{ ip: expect.stringMatching(/^198\.18\./), ...marks[1] }]);
    expect(next.body.page.nextCursor).toBeNull();
  }
});

describe("the sessions of another user", () => {
  test("all end at once, with one audit entry; ending none writes no entry", async () => {
    const { id, email, client } = await gateway.createStaff(tenant, "editor");
    const second = (await signIn(email)).client;
    const other = await gateway.createStaff(tenant, "editor");
    const ended = await tenant.owner.delete(`/v1/users/${id}/sessions`);
    expect([ended.status, ended.body.data]).toEqual([200, { endedSessions: 2 }]);
    expect([await isIn(client), await isIn(second), await isIn(other.client)]).toEqual([false, false, true]);
    expect((await tenant.owner.get(`/v1/users/${id}/sessions`)).body.data).toEqual([]);
    const again = await tenant.owner.delete(`/v1/users/${id}/sessions`);
    expect([again.status, again.body.data]).toEqual([200, { endedSessions: 0 }]);
    expect(await tenant.audit(`targetId=${id}&action=user.sessions_ended`)).toMatchObject([
      { actor: { id: tenant.ownerId }, target: { type: "user", id }, changes: { endedCount: 2 } },
    ]);
    expect(await isIn((await signIn(email)).client)).toBe(true);
  });

  test("an admin sees and ends the own ones too, including the one of the request", async () => {
    const { id, client } = await gateway.createStaff(tenant, "admin");
    expect((await client.get(`/v1/users/${id}/sessions`)).body.data).toHaveLength(1);
    expect((await client.delete(`/v1/users/${id}/sessions`)).status).toBe(200);
    expect(await isIn(client)).toBe(false);
  });
});
