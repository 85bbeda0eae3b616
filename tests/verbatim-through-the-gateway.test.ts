// Metadata, and external ids in paths, reach orders and customers through the gateway byte for byte, and are returned unchanged.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { memberTexts } from "@tradepost/json";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const METADATA =
  '{ "price":2.50, "zero":-0,"10":1,"9":[1E+2 ,\n1e999],"nul":"a\\u0000b","half":"\\ud800","é":"\\u00e9 é" }';

describe("through the gateway", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const send = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
    tenant.key.send(method, path, { headers: { "content-type": "application/json", ...headers }, body });
  const metadataOf = (text: string) => memberTexts(memberTexts(text).get("data") ?? "").get("metadata");

  test("metadata is verbatim, also in a replay and in a compressed response", async () => {
    const long = `${METADATA.slice(0, -1)},"long":"${"x".repeat(10_000)}"}`;
    for (const metadata of [METADATA, long]) {
      const body = `{"customerId":"${tenant.customerId}","items":[{"sku":"a","name":"a"}],"metadata":${metadata}}`;
      const headers = { "idempotency-key": `key-${metadata.length}`, "accept-encoding": "gzip" };
      const placed = await send("POST", "/v1/orders", body, headers);
      expect([placed.status, metadataOf(placed.text)]).toEqual([201, metadata]);
      expect((await send("POST", "/v1/orders", body, headers)).text).toBe(placed.text);
      expect(metadataOf((await tenant.key.get(`/v1/orders/${placed.body.data.id}`)).text)).toBe(metadata);
    }
  });

  test.each(["erp-1", "a/b", "a%2Fb", "100%", "?q=1#x", "a+b c", "..%2f", "é漢😀", "//", "a\\b", ";a=b"])(
    "the external id %s names its customer in the path",
    async (externalId) => {
      const path = `/v1/customers/by-external-id/${encodeURIComponent(externalId)}`;
      const created = await send("PUT", path, '{"name":"A"}');
      expect([created.status, created.body.data?.externalId]).toEqual([201, externalId]);
      const updated = await send("PUT", path, '{"name":"B"}', {
        "if-match": created.headers.get("etag") ?? "",
      });
      expect([updated.status, updated.body.data.id, updated.headers.get("etag")]).toEqual([
        200,
        created.body.data.id,
        '"2"',
      ]);
      expect((await send("PUT", path, '{"name":"C"}', { "if-match": '"1"' })).status).toBe(412);
      const unchanged = await tenant.key.get(`/v1/customers/${created.body.data.id}`, {
        "if-none-match": '"2"',
      });
      expect(unchanged.status).toBe(304);
    },
  );
});
