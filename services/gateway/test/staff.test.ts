// Staff: who may make, change and remove whom; the last owner stays; what is changed holds from the next request on.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer } from "@tradepost/testing";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const PASSWORD = "correct horse battery";

describe("staff", () => {
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    gateway = await startTestGateway();
    tenant = await gateway.makeTenant();
  });
  afterAll(() => gateway.stop());

  let count = 0;
  async function hire(role: string, by: ApiClient = tenant.owner) {
    count += 1;
    const email = `${role}${count}@${tenant.slug}.example`;
    const made = await by.post("/v1/users", { email, name: `${role} ${count}`, role, password: PASSWORD });
    const login = await apiClient(gateway.url).post("/v1/auth/login", { email, password: PASSWORD });
    return {
      made,
      email,
      id: made.body.data?.id as string,
      client: apiClient(gateway.url, bearer(login.body.data?.token)),
    };
  }

  test("an owner makes staff, who sign in, and are listed newest first without passwords", async () => {
    const { made, email, id } = await hire("viewer");
    expect(made.status).toBe(201);
    expect(made.body.data).toEqual({
      id,
      email,
      name: expect.stringMatching(/^viewer/),
      role: "viewer",
      active: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    const { body } = await tenant.owner.get("/v1/users?limit=1");
    expect(body.data).toEqual([made.body.data]);
    expect(body.page.nextCursor).toEqual(expect.any(String));
    const next = await tenant.owner.get(`/v1/users?cursor=${body.page.nextCursor}`);
    expect(next.body.data.map((user: { id: string }) => user.id)).toContain(tenant.ownerId);
  });

  test("an e-mail is unique on the platform, in any case of letters", async () => {
    const other = await gateway.makeTenant();
    const taken = await tenant.owner.post("/v1/users", {
      email: other.email.toUpperCase(),
      name: "Twin",
      role: "viewer",
      password: PASSWORD,
    });
    expect([taken.status, taken.body.error.code]).toEqual([409, "email_taken"]);
  });

  test("names every field at fault, and never the password", async () => {
    const { status, body } = await tenant.owner.post("/v1/users", {
      email: "nobody",
      name: "",
      role: "king",
      password: "hunter2",
      tenantId: "x",
    });
    expect(status).toBe(422);
    const paths = body.error.details.map(({ path }: { path: string }) => path).sort();
    expect(paths).toEqual(["email", "name", "password", "role", "tenantId"]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  test("only an owner makes, changes or removes an owner", async () => {
    const { client: admin } = await hire("admin");
    const { id: ownerId } = await hire("owner");
    const refusals = [
      await admin.post("/v1/users", { email: "o@o.example", name: "O", role: "owner", password: PASSWORD }),
      await admin.patch(`/v1/users/${ownerId}`, { name: "Mine" }),
      await admin.patch(`/v1/users/${(await hire("viewer")).id}`, { role: "owner" }),
      await admin.delete(`/v1/users/${ownerId}`),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(4).fill([403, "forbidden"]),
    );
    expect((await tenant.owner.delete(`/v1/users/${ownerId}`)).status).toBe(200);
  });

  test.each([{ role: "admin" }, { active: false }, null])("the last owner stays: %j", async (change) => {
    const alone = await gateway.makeTenant();
    const path = `/v1/users/${alone.ownerId}`;
    const answer = change === null ? await alone.owner.delete(path) : await alone.owner.patch(path, change);
    expect([answer.status, answer.body.error.code]).toEqual([409, "last_owner"]);
    expect((await alone.owner.get("/v1/users")).status).toBe(200);
  });

  test("of two owners who demote each other at the same instant, one stays", async () => {
    const pair = await gateway.makeTenant();
    const email = `second@${pair.slug}.example`;
    const second = await pair.owner.post("/v1/users", {
      email,
      name: "Second",
      role: "owner",
      password: PASSWORD,
    });
    const login = await apiClient(gateway.url).post("/v1/auth/login", { email, password: PASSWORD });
    const secondClient = apiClient(gateway.url, bearer(login.body.data.token));
    await Promise.all([
      pair.owner.patch(`/v1/users/${second.body.data.id}`, { role: "viewer" }),
      secondClient.patch(`/v1/users/${pair.ownerId}`, { role: "viewer" }),
    ]);
    const owners = await gateway.db
      .selectFrom("users")
      .select("id")
      .where("tenant_id", "=", pair.tenantId)
      .where("role", "=", "owner")
      .execute();
    expect(owners).toHaveLength(1);
  });

  test("a demotion, a deactivation, a removal and a new password hold from the next request on", async () => {
    const { id, client, email } = await hire("admin");
    expect((await client.get("/v1/users")).status).toBe(200);
    await tenant.owner.patch(`/v1/users/${id}`, { role: "viewer" });
    expect((await client.get("/v1/users")).status).toBe(403);
    await tenant.owner.patch(`/v1/users/${id}`, { active: false });
    expect((await client.get("/v1/me")).status).toBe(401);
    await tenant.owner.patch(`/v1/users/${id}`, { active: true, password: "another good password" });
    expect((await client.get("/v1/me")).status).toBe(401);
    const signIn = (password: string) => apiClient(gateway.url).post("/v1/auth/login", { email, password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    const again = apiClient(gateway.url, bearer((await signIn("another good password")).body.data.token));
    expect((await again.get("/v1/me")).status).toBe(200);
    const removed = await tenant.owner.delete(`/v1/users/${id}`);
    expect(removed.body.data).toEqual({ id, deleted: true });
    expect((await again.get("/v1/me")).status).toBe(401);
    expect((await tenant.owner.delete(`/v1/users/${id}`)).status).toBe(404);
  });

  test("another tenant's staff do not exist", async () => {
    const other = await gateway.makeTenant();
    expect((await tenant.owner.patch(`/v1/users/${other.ownerId}`, { name: "Mine" })).status).toBe(404);
    expect((await tenant.owner.delete(`/v1/users/${other.ownerId}`)).status).toBe(404);
  });
});
