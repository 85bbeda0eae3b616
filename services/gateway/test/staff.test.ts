// Staff users: who may create, change and delete whom, the last owner, and that changes take effect on the next request.
import { type ApiClient, type ClientResponse, faultPaths } from "@tradepost/testing";
import { sql } from "kysely";
import { fillHashQueue } from "./support/fill-hash-queue.ts";
import { holdLocks } from "./support/hold-locks.ts";
import { isIn, outcome, PASSWORD, useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();
const tenant = await gateway.createTenant();

describe("staff", () => {
  test("an owner creates users, who can sign in and are listed newest first, without passwords", async () => {
    const email = `new@${tenant.slug}.example`;
    const user = { email, name: "viewer 0", role: "viewer", password: PASSWORD };
    const created = await tenant.owner.post("/v1/users", user);
    expect(created.status).toBe(201);
    expect(await isIn((await gateway.signIn(email)).client)).toBe(true);
    expect(created.headers.get("cache-control")).toBe("no-store");
    expect(created.body.data).toEqual({
      id: expect.any(String),
      email,
      name: "viewer 0",
      secondFactor: false,
      role: "viewer",
      active: true,
      createdAt: expect.stringMatching(/Z$/),
      state: "invited",
    });
    const { body } = await tenant.owner.get("/v1/users?limit=1");
    const [{ at: lastSignInAt }] = await tenant.audit("action=auth.login");
    expect(body.data).toEqual([{ ...created.body.data, state: "active", lastSignInAt }]);
    expect(body.page.nextCursor).toEqual(expect.any(String));
    const next = await tenant.owner.get(`/v1/users?cursor=${body.page.nextCursor}`);
    for (const unreadable of [`${body.page.nextCursor}=`, `.${body.page.nextCursor}`, "x", ""]) {
      expect((await tenant.owner.get(`/v1/users?cursor=${unreadable}`)).status).toBe(422);
    }
    expect(next.body.data.map((user: { id: string }) => user.id)).toContain(tenant.ownerId);
  });

  test("names every invalid field, and never shows the password", async () => {
    const response = await tenant.owner.post("/v1/users", {
      email: "nobody",
      name: "",
      role: "king",
      password: "hunter2",
      tenantId: "x",
    });
    expect(response.status).toBe(422);
    expect(faultPaths(response)).toEqual(["email", "name", "password", "role", "tenantId"]);
    expect(response.text).not.toContain("hunter2");
  });

  test("only an owner can manage an owner", async () => {
    const { client: admin } = await gateway.createStaff(tenant, "admin");
    const { id: ownerId } = await gateway.createStaff(tenant, "owner");
    const refusals = [
      await admin.post("/v1/users", { email: "o@o.example", name: "O", role: "owner", password: PASSWORD }),
      await admin.patch(`/v1/users/${ownerId}`, { name: "Mine" }),
      await admin.patch(`/v1/users/${(await gateway.createStaff(tenant, "viewer")).id}`, { role: "owner" }),
    ];
    expect(refusals.map(outcome)).toEqual(Array(3).fill([403, "forbidden"]));
  });

  test.each<[string, (owner: ApiClient, id: string) => Promise<ClientResponse>]>([
    ["demote", (owner, id) => owner.patch(`/v1/users/${id}`, { role: "viewer" })],
    ["deactivate", (owner, id) => owner.patch(`/v1/users/${id}`, { active: false })],
    ["delete", (owner, id) => owner.delete(`/v1/users/${id}`)],
  ])("an only owner cannot %s themselves; of two at once, one stays", async (_what, act) => {
    const pair = await gateway.createTenant();
    expect(outcome(await act(pair.owner, pair.ownerId))).toEqual([409, "last_owner"]);
    expect((await pair.owner.get("/v1/users")).status).toBe(200);
    const second = await gateway.createStaff(pair, "owner");
    const responses = await gateway.race("users where tenant_id", pair.tenantId, [
      () => act(pair.owner, second.id),
      () => act(second.client, pair.ownerId),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const owners = sql`select from users where tenant_id = ${pair.tenantId} and role = 'owner' and active`;
    expect((await owners.execute(gateway.db)).rows).toHaveLength(1);
  });

  const [OK, MADE, NO, UNKNOWN] = [
    [200, undefined],
    [201, undefined],
    [403, "forbidden"],
    [404, "not_found"],
  ];
  const ALL = [OK, OK, OK, OK, MADE, OK];
  test.each([
    ["owner", "owner", ALL],
    ["owner", "admin", ALL],
    ["admin", "owner", Array(6).fill(NO)],
    ["admin", "admin", [OK, OK, NO, NO, MADE, OK]],
    ["admin", "editor", ALL],
    ["admin", "viewer", ALL],
    ["stranger", "editor", Array(6).fill(UNKNOWN)],
  ] as const)("what the %s may do to a user who is %s", async (by, role, expected) => {
    const clients = { owner: tenant.owner, stranger: (await gateway.createTenant()).owner };
    const actor = by === "admin" ? (await gateway.createStaff(tenant, by)).client : clients[by];
    const { id, client } = await gateway.createStaff(tenant, role);
    await gateway.update("users", { id }, { second_factor_since: new Date() });
    const path = `/v1/users/${id}`;
    const responses = [
      await actor.get(`${path}/sessions`),
      await actor.delete(`${path}/sessions`),
      await actor.delete(`${path}/second-factor`),
      await actor.patch(path, { password: "a password of theirs" }),
      await actor.post(`${path}/setup-link`),
    ];
    expect(await isIn(client)).toBe(expected[1] !== OK);
    responses.push(await actor.delete(path));
    expect(responses.map(outcome)).toEqual(expected);
  });

  test("an admin sets no password of an admin by way of another role, and not the own one", async () => {
    const { client: admin, id: adminId } = await gateway.createStaff(tenant, "admin");
    const viewer = await gateway.createStaff(tenant, "viewer");
    const otherAdmin = await gateway.createStaff(tenant, "admin");
    const set = (by: ApiClient, id: string, more: object = {}) =>
      by.patch(`/v1/users/${id}`, { password: "a password of theirs", ...more });
    const responses = [
      await set(admin, otherAdmin.id, { role: "editor" }),
      await set(admin, viewer.id, { role: "admin" }),
      await set(admin, adminId),
    ];
    expect(responses.map(outcome)).toEqual(Array(3).fill([403, "forbidden"]));
    const other = await gateway.createTenant();
    expect((await set(other.owner, other.ownerId)).status).toBe(200);
  });

  test("refuses to set a password without the right before it hashes the password", async () => {
    const { client: admin } = await gateway.createStaff(tenant, "admin");
    const viewer = await gateway.createStaff(tenant, "viewer");
    const otherAdmin = await gateway.createStaff(tenant, "admin");
    const password = "a password of theirs";
    const queue = fillHashQueue();
    const [refused, waiting] = await Promise.all([
      admin.patch(`/v1/users/${otherAdmin.id}`, { password }),
      admin.patch(`/v1/users/${viewer.id}`, { password }),
    ]);
    await queue.drain();
    expect(outcome(refused)).toEqual([403, "forbidden"]);
    expect(outcome(waiting)).toEqual([429, "rate_limited"]);
  });

  test("sets one password of a tenant's staff at a time, so that an admin keeps nobody from signing in", async () => {
    const { id } = await gateway.createStaff(tenant, "viewer");
    const added = { email: `added@${tenant.slug}.example`, name: "A", role: "viewer", password: PASSWORD };
    const queue = fillHashQueue(2);
    const changes = [
      tenant.owner.post("/v1/users", added),
      tenant.owner.patch(`/v1/users/${id}`, { password: "a password of theirs" }),
    ];
    const refused = await Promise.race(changes);
    await queue.drain();
    expect(outcome(refused)).toEqual([429, "rate_limited"]);
    expect((await Promise.all(changes)).filter(({ status }) => status < 300)).toHaveLength(1);
  });

  test("a new password also ends a session that is being opened", async () => {
    const { id, email } = await gateway.createStaff(tenant, "viewer");
    const row = await holdLocks(gateway.databaseUrl, "select from users where id = $1 for update", [id]);
    const signingIn = gateway.signIn(email);
    await row.waiters(1);
    await row.query("update users set password_hash = $2 where id = $1", [id, "scrypt$1$1$1$$"]);
    await row.release();
    expect((await signingIn).status).toBe(401);
  });

  test("refuses a common password on every route, and does not repeat it", async () => {
    const password = "Monkey-2024!!";
    const { id, client } = await gateway.createStaff(tenant, "viewer");
    const responses = [
      await tenant.owner.post("/v1/users", { email: "p@p.example", name: "P", role: "viewer", password }),
      await tenant.owner.patch(`/v1/users/${id}`, { password }),
      await client.post("/v1/me/password", { currentPassword: PASSWORD, newPassword: password }),
    ];
    const message = expect.stringContaining("too easy to guess");
    const details = ["password", "password", "newPassword"].map((path) => [{ path, message }]);
    expect(responses.map(({ body }) => body.error.details)).toEqual(details);
    for (const { text } of responses) expect(text).not.toContain(password);
  });

  test("refuses the own e-mail as a password on every route, and the set-up link is not used up", async () => {
    const { id, client, email } = await gateway.createStaff(tenant, "viewer");
    const newUser = { email: `new.${email}`, name: "P", role: "viewer" };
    const own = email.toUpperCase();
    const invited = (await tenant.owner.post("/v1/users", newUser)).body.data;
    const setUp = (password: string) =>
      gateway.anyone.post("/v1/auth/setup", { token: invited.setup.token, password });
    const other = { ...newUser, email: `other.${email}` };
    const responses = [
      await tenant.owner.post("/v1/users", { ...other, password: other.email }),
      await tenant.owner.patch(`/v1/users/${id}`, { password: own }),
      await client.post("/v1/me/password", { currentPassword: PASSWORD, newPassword: own }),
      await setUp(newUser.email),
    ];
    const message = "must not be the e-mail";
    const details = ["password", "password", "newPassword", "password"].map((path) => [{ path, message }]);
    expect(responses.map(({ body }) => body.error.details)).toEqual(details);
    expect((await setUp(PASSWORD)).status).toBe(200);
  });

  test("a new role, deactivation, deletion and new password take effect on the next request", async () => {
    const { id, client, email } = await gateway.createStaff(tenant, "admin");
    expect((await client.get("/v1/users")).status).toBe(200);
    await tenant.owner.patch(`/v1/users/${id}`, { role: "viewer" });
    expect((await client.get("/v1/users")).status).toBe(403);
    await tenant.owner.patch(`/v1/users/${id}`, { active: false });
    expect((await client.get("/v1/me")).status).toBe(401);
    await tenant.owner.patch(`/v1/users/${id}`, { active: true, password: "another good password" });
    expect((await client.get("/v1/me")).status).toBe(401);
    expect((await gateway.signIn(email)).status).toBe(401);
    const { client: again } = await gateway.signIn(email, "another good password");
    expect((await again.get("/v1/me")).status).toBe(200);
    const removed = await tenant.owner.delete(`/v1/users/${id}`);
    expect(removed.body.data).toEqual({ id, deleted: true });
    expect((await again.get("/v1/me")).status).toBe(401);
    expect((await tenant.owner.delete(`/v1/users/${id}`)).status).toBe(404);
  });

  test("a change that changes nothing writes no audit entry", async () => {
    const { id, email } = await gateway.createStaff(tenant, "viewer");
    const { lastSignInAt: _, ...user } = (await tenant.owner.get("/v1/users?limit=1")).body.data[0];
    for (const change of [{}, { name: user.name }, { name: user.name, role: "viewer", active: true }]) {
      const { status, body } = await tenant.owner.patch(`/v1/users/${id}`, change);
      expect([status, body.data]).toEqual([200, user]);
    }
    expect(user.email).toBe(email);
    expect(await tenant.audit(`targetId=${id}&action=user.updated`)).toEqual([]);
  });
});
