// GET and DELETE /v1/users/{id}/sessions: an admin sees where a user is signed in, and signs the user out everywhere.
import { afterAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer } from "@tradepost/testing";
import { PASSWORD, startTestGateway } from "./support/test-gateway.ts";

const gateway = await startTestGateway({ PROXY_HOPS: "1" });
const tenant = await gateway.createTenant();
afterAll(() => gateway.stop());

describe("the sessions of another user", () => {
  async function signIn(email: string, headers: Record<string, string> = {}): Promise<ApiClient> {
    const login = { email, password: PASSWORD };
    const { body } = await apiClient(gateway.url).post("/v1/auth/login", login, headers);
    return apiClient(gateway.url, bearer(body.data?.token));
  }
  const isIn = async (client: ApiClient) => (await client.get("/v1/me")).status === 200;
  const auditOf = async (id: string) =>
    (await tenant.owner.get(`/v1/audit-log?targetId=${id}&action=user.sessions_ended`)).body.data;

  test("are listed newest first, with address and browser", async () => {
    const { id, email } = await gateway.createStaff(tenant, "editor");
    await signIn(email, { "user-agent": "Browser/1.0", "x-forwarded-for": "2001:DB8::1" });
    const first = await tenant.owner.get(`/v1/users/${id}/sessions?limit=1`);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(first.body.data).toEqual([
      {
        id: expect.any(String),
        createdAt: time,
        lastUsedAt: time,
        expiresAt: time,
        ip: "2001:db8::1",
        userAgent: "Browser/1.0",
      },
    ]);
    const next = await tenant.owner.get(`/v1/users/${id}/sessions?cursor=${first.body.page.nextCursor}`);
    expect(next.body).toMatchObject({
      data: [{ ip: expect.stringMatching(/^198\.18\./) }],
      page: { nextCursor: null },
    });
  });

  test("all end at once, with one audit entry; ending none writes no entry", async () => {
    const { id, email, client } = await gateway.createStaff(tenant, "editor");
    const second = await signIn(email);
    const other = await gateway.createStaff(tenant, "editor");
    const ended = await tenant.owner.delete(`/v1/users/${id}/sessions`);
    expect([ended.status, ended.body.data]).toEqual([200, { endedSessions: 2 }]);
    expect([await isIn(client), await isIn(second), await isIn(other.client)]).toEqual([false, false, true]);
    expect((await tenant.owner.get(`/v1/users/${id}/sessions`)).body.data).toEqual([]);
    const again = await tenant.owner.delete(`/v1/users/${id}/sessions`);
    expect([again.status, again.body.data]).toEqual([200, { endedSessions: 0 }]);
    expect(await auditOf(id)).toMatchObject([
      { actor: { id: tenant.ownerId }, target: { type: "user", id }, changes: { endedCount: 2 } },
    ]);
    expect(await isIn(await signIn(email))).toBe(true);
  });

  test("an admin sees and ends those of everyone but owners; others see none", async () => {
    const admin = await gateway.createStaff(tenant, "admin");
    const [editor, owner] = [
      await gateway.createStaff(tenant, "editor"),
      await gateway.createStaff(tenant, "owner"),
    ];
    const stranger = await gateway.createTenant();
    const statuses = async (by: ApiClient, id: string) => [
      (await by.get(`/v1/users/${id}/sessions`)).status,
      (await by.delete(`/v1/users/${id}/sessions`)).status,
    ];
    expect(await statuses(editor.client, admin.id)).toEqual([403, 403]);
    expect(await statuses(stranger.owner, editor.id)).toEqual([404, 404]);
    expect(await statuses(admin.client, owner.id)).toEqual([403, 403]);
    expect([await isIn(owner.client), await isIn(editor.client)]).toEqual([true, true]);
    expect(await statuses(admin.client, editor.id)).toEqual([200, 200]);
    expect(await statuses(tenant.owner, owner.id)).toEqual([200, 200]);
    // An admin's own sessions too, including the one of this request.
    expect(await statuses(admin.client, admin.id)).toEqual([200, 200]);
    expect(await isIn(admin.client)).toBe(false);
  });
});
