// A revocation takes effect on the next request on every replica, and a 401 does not say why.
import { describe, expect, test } from "@jest/globals";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();
const tenant = await gateway.createTenant();
const urls = [gateway.url, (await gateway.startReplica()).url];

describe("revocation", () => {
  const everywhere = (key: string) =>
    Promise.all(urls.map(async (url) => (await gateway.as(key, url).get("/v1/me")).status));
  const expire = (id: string, expiresAt = new Date(Date.now() - 1)) =>
    gateway.update("api_keys", { id }, { expires_at: expiresAt });

  test("a revocation takes effect on the next request on every replica", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = await gateway.createKey(tenant);
      expect(await everywhere(key)).toEqual([200, 200]);
      await tenant.owner.delete(`/v1/api-keys/${id}`);
      expect(await everywhere(key)).toEqual([401, 401]);
    }
  });

  test("so does an expiry, by the database's clock", async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { id, key } = await gateway.createKey(tenant, [], { expiresAt });
    expect(await everywhere(key)).toEqual([200, 200]);
    await expire(id);
    expect(await everywhere(key)).toEqual([401, 401]);
  });

  test("so does a module that is switched off and on", async () => {
    const { key } = await gateway.createKey(tenant);
    const modules = () =>
      Promise.all(
        urls.map(async (url) => (await gateway.as(key, url).get("/v1/me")).body.data.tenant.modules),
      );
    const put = (active: boolean) => tenant.owner.put("/v1/modules/crm", { active });
    expect((await put(false)).body.data).toEqual({ name: "crm", active: false });
    expect(await modules()).toEqual([["content"], ["content"]]);
    await put(true);
    expect(await modules()).toEqual([
      ["content", "crm"],
      ["content", "crm"],
    ]);
    const listed = await tenant.owner.get("/v1/modules");
    expect(listed.body.data).toEqual([
      { name: "content", active: true },
      { name: "crm", active: true },
    ]);
  });

  test("unknown, malformed, revoked and expired keys get the same response, byte for byte", async () => {
    const revoked = await gateway.createKey(tenant);
    await tenant.owner.delete(`/v1/api-keys/${revoked.id}`);
    const expired = await gateway.createKey(tenant);
    await expire(expired.id, new Date(0));
    const { key } = await gateway.createKey(tenant);
    const wrongSecret = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const unknown = `sk_live_${"Z".repeat(12)}_${"Z".repeat(43)}`;
    const responses = await Promise.all(
      [revoked.key, expired.key, wrongSecret, unknown, "sk_live_x", "nonsense", "a.b.c"].map((token) =>
        gateway.as(token).get("/v1/me", { "x-request-id": "same" }),
      ),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(401);
  });
});
