// The gateway saves bandwidth on reads (interface §1): 304 for a version that the client has, and gzip above 4 KiB.
import http from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bearer } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

interface Raw {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

describe("a cheap read", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let small: string;
  let large: string;

  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    small = await placeOrder(1);
    large = await placeOrder(100);
  });
  afterAll(() => platform.stop());

  async function placeOrder(lines: number): Promise<string> {
    const items = Array.from({ length: lines }, (_, index) => ({ sku: `SKU-${index}`, name: "Mug ☕" }));
    const { body } = await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items });
    return `/v1/orders/${body.data.id}`;
  }

  /** Sends the headers unchanged and returns the bytes as received. fetch would decompress them. */
  async function read(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Raw> {
    return await new Promise((resolve, reject) => {
      const options = { method, headers: { ...bearer(tenant.apiKey), ...headers } };
      const request = http.request(`${platform.url}${path}`, options, async (res) => {
        const chunks: Buffer[] = await res.toArray();
        resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) });
      });
      request.on("error", reject).end();
    });
  }

  describe("with If-None-Match", () => {
    test.each([
      ["the tag", '"1"'],
      ["a weak tag", 'W/"1"'],
      ["a list with the tag", '"0", W/"a,b","1"'],
      ["any version", "*"],
    ])("is 304 without a body for %s", async (_what, tags) => {
      const { status, headers, bytes } = await read(small, { "if-none-match": tags });
      expect([status, headers.etag, bytes.length]).toEqual([304, '"1"', 0]);
      expect(headers).not.toHaveProperty("content-type");
      expect(headers).toHaveProperty("x-request-id");
    });

    test.each([
      ["another version", '"2"'],
      ["a part of the tag", '"11", "", 1'],
      ["nonsense", 'W/1 "1'],
    ])("is 200 for %s", async (_what, tags) => {
      expect((await read(small, { "if-none-match": tags })).status).toBe(200);
    });

    test("is 200 again once the order has changed, and 304 for HEAD", async () => {
      const order = await placeOrder(1);
      const { headers } = await read(order, {}, "HEAD");
      const known = { "if-none-match": String(headers.etag) };
      expect((await read(order, known, "HEAD")).status).toBe(304);
      await tenant.key.post(`${order}/fulfill`);
      expect((await read(order, known)).status).toBe(200);
    });

    test("does not hide an id that does not exist, nor a list", async () => {
      const known = { "if-none-match": "*" };
      expect((await read("/v1/orders/00000000-0000-7000-8000-000000000000", known)).status).toBe(404);
      expect((await read("/v1/orders", known)).status).toBe(200);
    });
  });

  describe("with Accept-Encoding", () => {
    test.each(["gzip", "br, gzip;q=0.5", "*", "GZIP ; Q=1", "identity;q=0.5, *;q=0.8", "deflate, gzip, br"])(
      "is compressed for %s",
      async (accepted) => {
        const { headers, bytes } = await read(large, { "accept-encoding": accepted });
        expect(headers).toMatchObject({
          "content-encoding": "gzip",
          vary: "Accept-Encoding",
          "content-length": String(bytes.length),
        });
        const plain = await read(large);
        expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
        expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      },
    );

    test.each([
      "",
      "identity",
      "br",
      "gzip;q=0",
      "gzip;q=0, *",
      "*;q=0",
      "gzip;q=0.1, identity",
      "gzipped",
      "gzip;q=x",
    ])("is not compressed for %j", async (accepted) => {
      const { headers, bytes } = await read(large, { "accept-encoding": accepted });
      expect(headers).not.toHaveProperty("content-encoding");
      expect(headers.vary).toBe("Accept-Encoding");
      expect(JSON.parse(bytes.toString()).data.items).toHaveLength(100);
    });

    test("compresses no response of 4 KiB or less", async () => {
      const { headers } = await read(small, { "accept-encoding": "gzip" });
      expect(headers).not.toHaveProperty("content-encoding");
      expect(headers).not.toHaveProperty("vary");
    });

    test("keeps the ETag, which If-Match and If-None-Match then accept", async () => {
      const order = await placeOrder(100);
      const { headers } = await read(order, { "accept-encoding": "gzip" });
      expect([headers["content-encoding"], headers.etag]).toEqual(["gzip", '"1"']);
      const known = { "accept-encoding": "gzip", "if-none-match": '"1"' };
      const unchanged = await read(order, known);
      expect([unchanged.status, unchanged.headers.vary]).toEqual([304, "Accept-Encoding"]);
      expect(unchanged.headers).not.toHaveProperty("content-encoding");
      const changed = await tenant.key.post(`${order}/cancel`, undefined, { "If-Match": '"1"' });
      expect(changed.status).toBe(200);
    });

    test("says of a HEAD what the GET would be, without its length", async () => {
      const { headers, bytes } = await read(large, { "accept-encoding": "gzip" }, "HEAD");
      expect([headers["content-encoding"], headers["content-length"], bytes.length]).toEqual([
        "gzip",
        undefined,
        0,
      ]);
    });

    test("compresses lists, the gateway's own responses and failures", async () => {
      const list = await read("/v1/orders", { "accept-encoding": "gzip" });
      const eventTypes = await read("/v1/webhooks/event-types", { "accept-encoding": "gzip" });
      for (let index = 0; index < 25; index += 1) {
        await tenant.owner.post("/v1/api-keys", { label: "x".repeat(200), scopes: [] });
      }
      const keys = await tenant.owner.get("/v1/api-keys?limit=100");
      const unknown = Array.from({ length: 200 }, (_, index) => `parameter${index}=`).join("&");
      const failure = await read(`/v1/orders?${unknown}`, { "accept-encoding": "gzip" });
      expect([list, eventTypes, failure].map(({ headers }) => headers["content-encoding"])).toEqual([
        "gzip",
        "gzip",
        "gzip",
      ]);
      expect([keys.headers.get("content-encoding"), keys.body.data.length]).toEqual(["gzip", 26]);
    });

    test("compresses a list that is too large for the gateway's memory", async () => {
      await tenant.owner.put("/v1/content-types/page", {
        name: "Page",
        fields: [{ key: "text", type: "text", required: false }],
      });
      const text = "All work and no play. ".repeat(20_000);
      for (let index = 0; index < 4; index += 1) {
        await tenant.key.post("/v1/entries", { type: "page", slug: `page-${index}`, data: { text } });
      }
      const { headers, bytes } = await read("/v1/entries?type=page", { "accept-encoding": "gzip" });
      expect([headers["content-encoding"], headers["content-length"]]).toEqual(["gzip", undefined]);
      expect(JSON.parse(gunzipSync(bytes).toString()).data[3].data.text).toBe(text);
    });

    test("never compresses a media file", async () => {
      const form = new FormData();
      const pdf = `%PDF-1.4\n${"0 ".repeat(10_000)}`;
      form.append("file", new Blob([pdf], { type: "application/pdf" }), "plan.pdf");
      const upload = await fetch(`${platform.url}/v1/media`, {
        method: "POST",
        headers: bearer(tenant.apiKey),
        body: form,
      });
      const { data } = (await upload.json()) as { data: { id: string } };
      const file = await read(`/v1/media/${data.id}/file`, { "accept-encoding": "gzip" });
      expect([upload.status, file.status, file.bytes.toString()]).toEqual([201, 200, pdf]);
      expect(file.headers).not.toHaveProperty("content-encoding");
    });
  });
});
