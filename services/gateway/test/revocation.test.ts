// A revocation takes effect on the next request on every replica, and a 401 does not say why.
import { describe, expect, test } from "@jest/globals";
import { apiClient, bearer } from "@tradepost/testing";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();
const tenant = await gateway.createTenant();
const urls = [gateway.url, (await gateway.startReplica()).url];

describe("revocation", () => {
  async function makeKey(expiresAt?: Date) {
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "k", scopes: [], expiresAt });
    return body.data as { id: string; key: string };
  }
  const everywhere = (key: string) =>
    Promise.all(urls.map(async (url) => (await apiClient(url, bearer(key)).get("/v1/me")).status));

  test("a revocation takes effect on the next request on every replica", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = await makeKey();
      expect(await everywhere(key)).toEqual([200, 200]);
      await tenant.owner.delete(`/v1/api-keys/${id}`);
      expect(await everywhere(key)).toEqual([401, 401]);
    }
  });

  test("so does an expiry, by the database's clock", async () => {
    const { id, key } = await makeKey(new Date(Date.now() + 3_600_000));
    expect(await everywhere(key)).toEqual([200, 200]);
    await gateway.db
      .updateTable("api_keys")
      .set({ expires_at: new Date(Date.now() - 1) })
      .where("id", "=", id)
      .execute();
    expect(await everywhere(key)).toEqual([401, 401]);
  });

  test("so does a module that is switched off and on", async () => {
    const { key } = await makeKey();
    const modules = () =>
      Promise.all(
        urls.map(async (url) => (await apiClient(url, bearer(key)).get("/v1/me")).body.data.tenant.modules),
      );
    const put = (active: boolean) =>
      tenant.owner.send("PUT", "/v1/modules/crm", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ active }),
      });
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
    const revoked = await makeKey();
    await tenant.owner.delete(`/v1/api-keys/${revoked.id}`);
    const expired = await makeKey(new Date(Date.now() + 3_600_000));
    await gateway.db
      .updateTable("api_keys")
      .set({ expires_at: new Date(0) })
      .where("id", "=", expired.id)
      .execute();
    const { key } = await makeKey();
    const wrongSecret = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
    const unknown = `sk_live_${"Z".repeat(12)}_${"Z".repeat(43)}`;
    const responses = await Promise.all(
      [revoked.key, expired.key, wrongSecret, unknown, "sk_live_x", "nonsense", "a.b.c"].map((token) =>
        apiClient(gateway.url, bearer(token)).get("/v1/me", { "x-request-id": "same" }),
      ),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(401);
  });
});
