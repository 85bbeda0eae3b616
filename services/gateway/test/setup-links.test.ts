// One-time set-up links: new users, and users who forgot their password, choose a password without anyone else knowing it.
import { type ApiClient, faultPaths } from "@tradepost/testing";
import { OTHER_PASSWORD as NEXT, outcome, PASSWORD, useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ PROXY_HOPS: "1" });
const tenant = await gateway.createTenant();

describe("set-up links", () => {
  const { signIn } = gateway;
  const makeLink = (id: string) => tenant.owner.post(`/v1/users/${id}/setup-link`);
  const tokenFor = async (id: string): Promise<string> => (await makeLink(id)).body.data.token;
  // Each set-up comes from an address of its own, so that failures do not add up.
  const setUp = (token: unknown, password: unknown, address?: string) =>
    gateway.anyone.post("/v1/auth/setup", { token, password }, gateway.from(address));
  const UNAUTHORIZED = [401, "unauthorized"];

  test("a user is created without a password and sets one with the link", async () => {
    const email = `new@${tenant.slug}.example`;
    const created = await tenant.owner.post("/v1/users", { email, name: "New", role: "viewer" });
    expect(created.status).toBe(201);
    expect(created.headers.get("cache-control")).toBe("no-store");
    const { setup, ...user } = created.body.data;
    expect(user).toMatchObject({ email, name: "New", role: "viewer", active: true });
    expect(setup).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/) });
    const minutesLeft = (Date.parse(setup.expiresAt) - Date.now()) / 60_000;
    expect(Math.round(minutesLeft)).toBe(24 * 60);
    for (const guess of ["", PASSWORD]) expect((await signIn(email, guess)).status).toBe(401);

    const done = await setUp(setup.token, PASSWORD);
    const active = { ...user, state: "active" };
    expect([user.state, done.status, done.body.data]).toEqual(["invited", 200, active]);
    expect(done.headers.get("cache-control")).toBe("no-store");
    const { client } = await signIn(email);
    expect((await client.get("/v1/me")).body.data.actor.id).toBe(user.id);
    const listed = await tenant.owner.get("/v1/users?limit=1");
    expect(listed.body.data).toEqual([{ ...active, lastSignInAt: expect.any(String) }]);
  });

  test("a forgotten password is replaced; until then the old one works, and then no session of before", async () => {
    const { id, email, client } = await gateway.createStaff(tenant, "editor");
    const link = await makeLink(id);
    expect([link.status, Object.keys(link.body.data)]).toEqual([201, ["token", "expiresAt"]]);
    expect(link.headers.get("cache-control")).toBe("no-store");
    expect((await client.get("/v1/me")).status).toBe(200);
    expect((await setUp(link.body.data.token, NEXT)).status).toBe(200);
    expect((await client.get("/v1/me")).status).toBe(401);
    expect([(await signIn(email)).status, (await signIn(email, NEXT)).status]).toEqual([401, 200]);
  });

  test("a link works once, and a later link ends the earlier one", async () => {
    const { id } = await gateway.createStaff(tenant);
    const first = await tokenFor(id);
    const second = await tokenFor(id);
    expect(outcome(await setUp(first, NEXT))).toEqual(UNAUTHORIZED);
    expect((await setUp(second, NEXT)).status).toBe(200);
    expect(outcome(await setUp(second, NEXT))).toEqual(UNAUTHORIZED);
  });

  test("of two concurrent uses of a link one succeeds", async () => {
    const { id, email } = await gateway.createStaff(tenant);
    const token = await tokenFor(id);
    const passwords = [NEXT, `${NEXT}, too`];
    const uses = passwords.map((password) => () => setUp(token, password));
    const statuses = (await gateway.race("setup_links where user_id", id, uses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401]);
    expect((await signIn(email, passwords[statuses.indexOf(200)])).status).toBe(200);
  });

  test("an unknown, malformed, expired or foreign token is 401, with one message", async () => {
    const { id } = await gateway.createStaff(tenant);
    const token = await tokenFor(id);
    await gateway.update("setup_links", { user_id: id }, { expires_at: new Date(Date.now() - 1) });
    const responses = [
      await setUp(token, NEXT),
      await setUp("", NEXT),
      await setUp("x".repeat(43), NEXT),
      await setUp(`${token}x`, NEXT),
      await setUp(tenant.token, NEXT),
    ];
    expect(responses.map(outcome)).toEqual(Array(5).fill(UNAUTHORIZED));
    expect(new Set(responses.map(({ body }) => body.error.message)).size).toBe(1);
  });

  test("invalid fields are named, without their values, and do not use up the link", async () => {
    const { id } = await gateway.createStaff(tenant);
    const token = await tokenFor(id);
    for (const password of ["short", "password1234", "aaaaaaaaaaaaaaa", 7, null, undefined]) {
      const response = await setUp(token, password);
      expect(response.status).toBe(422);
      expect(response.body.error.details).toEqual([{ path: "password", message: expect.any(String) }]);
      expect(response.text).not.toContain(token);
    }
    const faulty = await gateway.anyone.post("/v1/auth/setup", { password: "x", email: "y" });
    expect(faultPaths(faulty)).toEqual(["email", "password", "token"]);
    expect((await setUp(token, NEXT)).status).toBe(200);
  });

  test("an inactive user and a suspended tenant cannot use a link, which stays valid", async () => {
    const { id } = await gateway.createStaff(tenant);
    const token = await tokenFor(id);
    const setActive = (active: boolean) => gateway.update("users", { id }, { active });
    await setActive(false);
    expect(outcome(await setUp(token, NEXT))).toEqual(UNAUTHORIZED);
    expect(outcome(await makeLink(id))).toEqual([409, "conflict"]);
    await setActive(true);
    await gateway.setSuspended(tenant.tenantId, true);
    expect(outcome(await setUp(token, NEXT))).toEqual([403, "tenant_suspended"]);
    await gateway.setSuspended(tenant.tenantId, false);
    expect((await setUp(token, NEXT)).status).toBe(200);
  });

  const ownPassword = { currentPassword: PASSWORD, newPassword: NEXT };
  test.each<[string, (path: string, user: ApiClient) => Promise<{ status: number }>]>([
    ["another password", (path) => tenant.owner.patch(path, { password: "a password of theirs" })],
    ["the user's own new password", (_path, user) => user.post("/v1/me/password", ownPassword)],
    ["another role", (path) => tenant.owner.patch(path, { role: "admin" })],
    ["deactivation", (path) => tenant.owner.patch(path, { active: false })],
    ["deletion", (path) => tenant.owner.delete(path)],
  ])("%s ends a link that was made before", async (_what, change) => {
    const { id, client } = await gateway.createStaff(tenant, "editor");
    const token = await tokenFor(id);
    const path = `/v1/users/${id}`;
    expect((await tenant.owner.patch(path, { name: "Renamed" })).status).toBe(200);
    expect((await change(path, client)).status).toBe(200);
    await tenant.owner.patch(path, { active: true, role: "editor" });
    expect(outcome(await setUp(token, NEXT))).toEqual(UNAUTHORIZED);
  });

  test("failed set-ups are limited like failed sign-ins, and a set-up that succeeds is not counted", async () => {
    const address = "198.51.100.7";
    const { id } = await gateway.createStaff(tenant);
    const fail = async (times: number) => {
      for (let failure = 0; failure < times; failure += 1) {
        expect(outcome(await setUp(`unknown ${failure}`, NEXT, address))).toEqual(UNAUTHORIZED);
      }
    };
    await fail(4);
    expect((await setUp(await tokenFor(id), NEXT, address)).status).toBe(200);
    await fail(1);
    const token = await tokenFor(id);
    const limited = await setUp(token, NEXT, address);
    expect(outcome(limited)).toEqual([429, "rate_limited"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await setUp(token, NEXT)).status).toBe(200);
  });

  test("the database has a hash of the token, and the audit log says who made a link and that it was used", async () => {
    const { id } = await gateway.createStaff(tenant);
    const { token, expiresAt } = (await makeLink(id)).body.data;
    const stored = await gateway.db.selectFrom("setup_links").selectAll().where("user_id", "=", id).execute();
    expect(stored[0]?.token_hash).toHaveLength(32);
    expect(JSON.stringify(stored)).not.toContain(token);
    await setUp(token, NEXT);
    const log = await tenant.owner.get(`/v1/audit-log?targetId=${id}`);
    expect(log.body.data.slice(0, 2)).toMatchObject([
      {
        action: "auth.password_changed",
        actor: { type: "user", id },
        changes: { endedCount: 1, by: "setup_link" },
      },
      { action: "user.setup_link_made", actor: { id: tenant.ownerId }, changes: { expiresAt } },
    ]);
    expect(log.text).not.toContain(token);
  });
});
