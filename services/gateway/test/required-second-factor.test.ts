// A tenant that requires second factors, and resets of lost ones (interface §20).
import type { ApiClient } from "@tradepost/testing";
import { staffAccess } from "../src/operate.ts";
import { holdLocks } from "./support/hold-locks.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { cookieOf, isIn, outcome, PASSWORD, type TestTenant, useGateway } from "./support/test-gateway.ts";

const WRONG = "000000";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ PROXY_HOPS: "1", ORDERS_URL: upstream.url });

describe("required second factors", () => {
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await gateway.createTenant();
  });

  const { anyone, from, protect } = gateway;
  const protectOwner = async () => (await protect(tenant.owner, tenant.password)).app;
  const require = (client: ApiClient, requireSecondFactor: boolean, code?: string) =>
    client.put("/v1/security", { requireSecondFactor, ...(code !== undefined && { code }) });

  test("users without one can only set one up, from their next request on", async () => {
    const staff = await gateway.createStaff(tenant, "admin");
    const key = await gateway.createKey(tenant, ["read:crm"]);
    await protectOwner();
    expect((await require(tenant.owner, true)).body.data).toMatchObject({ requireSecondFactor: true });
    const { client } = staff;
    const refused = [
      await client.get("/v1/users"),
      await client.get("/v1/orders"),
      await client.get("/v1/me/sessions"),
      await client.get("/v1/me/"),
      await client.get("/v1/ME"),
      await client.post("/v1/me/password", { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }),
      await client.get("/v1/no-such-path"),
      await client.post("/mcp", {}),
    ];
    expect(refused.map(outcome)).toEqual(Array(refused.length).fill([403, "second_factor_required"]));
    expect(upstream.recorded).toEqual([]);
    const { status, client: newSession } = await gateway.signIn(staff.email);
    expect(status).toBe(200);
    expect(outcome(await newSession.get("/v1/users"))).toEqual([403, "second_factor_required"]);
    expect((await newSession.get("/v1/me?x=1")).status).toBe(422);
    expect((await newSession.get("/v1/me")).body.data.actor.secondFactor).toEqual({
      ...{ enabled: false, required: true, recoveryCodesLeft: 0 },
    });
    await protect(newSession);
    expect((await newSession.get("/v1/users")).status).toBe(200);
    // Keys are not affected.
    expect((await key.client.get("/v1/orders")).status).toBe(200);
    const other = await gateway.createTenant();
    expect((await other.owner.get("/v1/users")).status).toBe(200);
  });

  test("a user without one can sign out", async () => {
    const staff = await gateway.createStaff(tenant);
    expect((await require(tenant.owner, true)).status).toBe(200);
    const { client, cookie } = await gateway.signIn(staff.email);
    const refreshed = await anyone.post("/v1/auth/refresh", undefined, { cookie });
    expect(refreshed.status).toBe(200);
    const out = await anyone.post("/v1/auth/logout", undefined, { cookie: cookieOf(refreshed) });
    expect(out.status).toBe(200);
    expect(await isIn(client)).toBe(false);
  });

  test("an owner who requires one without having one sets one up first", async () => {
    expect((await require(tenant.owner, true)).status).toBe(200);
    expect(outcome(await require(tenant.owner, false, WRONG))).toEqual([403, "second_factor_required"]);
    const app = await protectOwner();
    expect((await require(tenant.owner, false, await app.unused())).status).toBe(200);
  });

  test("is turned off with a fresh code of the owner only", async () => {
    const app = await protectOwner();
    const code = await app.unused();
    await require(tenant.owner, true);
    const missing = await require(tenant.owner, false);
    const fault = { path: "code", message: "is required to turn this off" };
    expect([missing.status, missing.body.error.details]).toEqual([422, [fault]]);
    const wrong = await require(tenant.owner, false, WRONG);
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([422, "code"]);
    expect((await tenant.owner.get("/v1/security")).body.data).toMatchObject({ requireSecondFactor: true });
    const off = await require(tenant.owner, false, code);
    expect(off.body.data).toMatchObject({ requireSecondFactor: false });
    await require(tenant.owner, true);
    expect((await require(tenant.owner, false, code)).status).toBe(422);
    // Nothing changes, so no code is needed.
    expect((await require(tenant.owner, true)).status).toBe(200);
    const entries = await tenant.audit("action=security.updated");
    expect(entries.map(({ changes }: { changes: object }) => changes)).toEqual([
      { requireSecondFactor: true },
      { requireSecondFactor: false },
      { requireSecondFactor: true },
    ]);
    expect(entries[0].target).toEqual({ type: "tenant", id: tenant.tenantId });
  });

  test("a reset removes it, and ends the user's sessions and started sign-ins", async () => {
    const staff = await gateway.createStaff(tenant, "editor");
    const { app } = await protect(staff.client);
    const { token } = (await gateway.signIn(staff.email)).body.data.secondFactor;
    const reset = await tenant.owner.delete(`/v1/users/${staff.id}/second-factor`);
    expect([reset.status, reset.body.data]).toEqual([200, { endedSessions: 1 }]);
    expect(reset.headers.get("cache-control")).toBe("no-store");
    expect(await isIn(staff.client)).toBe(false);
    const code = await app.unused();
    expect((await anyone.post("/v1/auth/second-factor", { token, code }, from())).status).toBe(401);
    expect((await gateway.signIn(staff.email)).body.data).toHaveProperty("token");
    expect(await tenant.audit("action=second_factor.removed")).toMatchObject([
      {
        actor: { id: tenant.ownerId },
        target: { type: "user", id: staff.id },
        changes: { endedCount: 1, by: "reset" },
      },
    ]);
    const again = await tenant.owner.delete(`/v1/users/${staff.id}/second-factor`);
    expect(outcome(again)).toEqual([404, "not_found"]);
  });

  test.each([
    ["waits for the session if the code was first, and ends it", "unfinished_sign_ins", [200, undefined], 2],
    ["refuses the code if the reset was first", "second_factors", [401, "unauthorized"], 1],
  ])("a reset during a sign-in %s", async (_what, lockedTable, expected, endedSessions) => {
    const staff = await gateway.createStaff(tenant, "editor");
    const { app } = await protect(staff.client);
    const { token } = (await gateway.signIn(staff.email)).body.data.secondFactor;
    const code = await app.unused();
    const rows = `select from ${lockedTable} where user_id = $1 for update`;
    const locks = await holdLocks(gateway.databaseUrl, rows, [staff.id]);
    const finish = () => anyone.post("/v1/auth/second-factor", { token, code }, from());
    const resetFactor = () => tenant.owner.delete(`/v1/users/${staff.id}/second-factor`);
    const isCodeFirst = endedSessions === 2;
    const [sendFirst, sendSecond] = isCodeFirst ? [finish, resetFactor] : [resetFactor, finish];
    const first = sendFirst();
    await locks.waiters(1);
    const second = sendSecond();
    await locks.waiters(2);
    await locks.release();
    const [finished, reset] = isCodeFirst ? [await first, await second] : [await second, await first];
    expect([reset.status, reset.body.data]).toEqual([200, { endedSessions }]);
    expect(outcome(finished)).toEqual(expected);
    expect(await isIn(gateway.as(finished.body.data?.token ?? ""))).toBe(false);
  });

  test("nobody resets their own, and refused resets are in the audit log", async () => {
    const { client, id } = await gateway.createStaff(tenant, "admin");
    await protect(client);
    await protectOwner();
    const reset = (by: ApiClient, userId: string) => by.delete(`/v1/users/${userId}/second-factor`);
    expect(outcome(await reset(client, id))).toEqual([403, "forbidden"]);
    expect(outcome(await reset(tenant.owner, tenant.ownerId))).toEqual([403, "forbidden"]);
    expect(outcome(await reset(client, tenant.ownerId))).toEqual([403, "forbidden"]);
    expect(await tenant.audit("action=user.refused")).toHaveLength(3);
  });

  test("the operator resets that of an only owner", async () => {
    await protectOwner();
    expect(await staffAccess.resetSecondFactorOf(gateway.db, tenant.email)).toBe(1);
    expect(await isIn(tenant.owner)).toBe(false);
    const { client } = await gateway.signIn(tenant.email, tenant.password);
    const { data } = (await client.get("/v1/audit-log?action=second_factor.removed")).body;
    expect(data).toMatchObject([{ actor: { type: "operator" }, changes: { by: "reset" } }]);
    await expect(staffAccess.resetSecondFactorOf(gateway.db, tenant.email)).rejects.toThrow(
      "No such second factor.",
    );
    await expect(staffAccess.resetSecondFactorOf(gateway.db, "nobody@nowhere.example")).rejects.toThrow(
      "No user has the e-mail nobody@nowhere.example.",
    );
  });
});
