// Bodies and queries that each service refuses, and null fields that it accepts, through the gateway. packages/http tests every
// case, and tests/stories/route-inputs.test.ts every route. This file tests one of each between the client and the service.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer, rawRequest } from "@tradepost/testing";
import { expectFailure } from "../support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "../support/test-platform.ts";

const JSON_TYPE = { "content-type": "application/json" };
const MIB = 1024 * 1024;
const TOO_LARGE = "x".repeat(3 * MIB);
const nested = (depth: number, inner = "1") =>
  `${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`;
const LINE = { sku: "A", name: "a" };

describe("through the gateway", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let bareKey: string;
  let withoutModules: ApiClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    bareKey = (await tenant.owner.post("/v1/api-keys", { label: "x", scopes: [] })).body.data.key;
    withoutModules = (await platform.createTenant([])).key;
  });
  afterAll(() => platform.stop());

  describe.each([
    ["the gateway", "/v1/api-keys"],
    ["the orders service", "/v1/customers"],
    ["the content service", "/v1/redirects"],
    ["the content service, which reads a content type first,", "/v1/entries"],
    ["the webhooks service", "/v1/webhooks/subscriptions"],
  ])("%s", (_whose, path) => {
    const send = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
      tenant.owner.send("POST", path, { headers, body });
    const inChunks = (token: string) => {
      const headers = ["Transfer-Encoding: chunked", "Content-Type: application/json"];
      headers.push(`Authorization: Bearer ${token}`);
      const chunks = `${TOO_LARGE.length.toString(16)}\r\n${TOO_LARGE}\r\n0\r\n\r\n`;
      return rawRequest(platform.url, `POST ${path}`, headers, chunks);
    };

    test("refuses each kind of bad body", async () => {
      expectFailure(await send("{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
      const compressed = { ...JSON_TYPE, "content-encoding": "gzip" };
      expectFailure(await send("{}", compressed), 415, "unsupported_media_type");
      expectFailure(await send(TOO_LARGE), 413, "payload_too_large");
      expectFailure(await send("{}".padEnd(2 * MIB + 1)), 413, "payload_too_large");
      expectFailure(await send("{}".padEnd(2 * MIB)), 422, "validation_error");
      expectFailure(await inChunks(tenant.ownerToken), 413, "payload_too_large");
      expectFailure(await send("{"), 400, "invalid_json");
      expectFailure(await send(""), 400, "invalid_json");
      expectFailure(await send(Buffer.from('{"name":"\xff"}', "latin1")), 400, "invalid_json");
      expectFailure(await send("[]"), 422, "validation_error", ["body"]);
      for (const depth of [70, 1_500, 100_000])
        expectFailure(await send(nested(depth, "12345678901234567890")), 422, "validation_error");
    });

    test("names an unknown parameter, an invalid Idempotency-Key and the unknown fields together", async () => {
      const response = await tenant.owner.send("POST", `${path}?dryrun=1`, {
        headers: { ...JSON_TYPE, "idempotency-key": "a b" },
        body: '{"tenantId":"x"}',
      });
      expectFailure(response, 422, "validation_error");
      const details = new Map(
        response.body.error.details.map((fault: { path: string; message: string }) => [
          ...[fault.path, fault.message],
        ]),
      );
      expect(details.get("dryrun")).toBe("unknown parameter; this path takes no query parameters");
      expect(details.get("tenantId")).toBe("unknown field");
      expect(details.has("Idempotency-Key")).toBe(true);
    });

    test("checks the caller first", async () => {
      const anyone = apiClient(platform.url);
      const bare = apiClient(platform.url, bearer(bareKey));
      for (const body of ["{", TOO_LARGE]) {
        const options = { headers: { "content-type": "text/plain" }, body };
        expectFailure(await anyone.send("POST", `${path}?dryrun=1`, options), 401, "unauthorized");
        expectFailure(await bare.send("POST", `${path}?dryrun=1`, options), 403, "forbidden");
        const isOfModule = path !== "/v1/api-keys" && !path.startsWith("/v1/webhooks");
        if (isOfModule)
          expectFailure(await withoutModules.send("POST", path, options), 403, "module_disabled");
      }
      expectFailure(await inChunks("nobody"), 401, "unauthorized");
      expectFailure(await inChunks(bareKey), 403, "forbidden");
    });
  });

  test("an invalid order is 422 before 404 of its customer, and that comes before 409 of its number", async () => {
    const taken = { customerId: tenant.customerId, items: [LINE], orderNumber: "TAKEN" };
    expect((await tenant.key.post("/v1/orders", taken)).status).toBe(201);

    const unknown = { ...taken, customerId: randomUUID() };
    const invalid = await tenant.key.post("/v1/orders", { ...unknown, items: [{ ...LINE, quantity: 0 }] });
    expectFailure(invalid, 422, "validation_error", ["items[0].quantity"]);
    const negative = await tenant.key.post("/v1/orders", { ...unknown, discountTotal: 1 });
    expectFailure(negative, 422, "validation_error", ["discountTotal"]);
    expectFailure(await tenant.key.post("/v1/orders", unknown), 404, "not_found");
    expectFailure(await tenant.key.post("/v1/orders", taken), 409, "order_number_taken");
  });

  test("403 comes before 404, and 422 of a query before 404", async () => {
    const bare = apiClient(platform.url, bearer(bareKey));
    for (const path of [`/v1/orders/${randomUUID()}`, "/v1/customers/nobody"])
      expectFailure(await bare.get(path), 403, "forbidden");
    expectFailure(await bare.delete(`/v1/api-keys/${randomUUID()}`), 403, "forbidden");
    expectFailure(await tenant.key.get("/v1/redirects/resolve?path=x"), 422, "validation_error", ["path"]);
    expectFailure(await tenant.key.get("/v1/redirects/resolve?path=/x"), 404, "not_found");
    expectFailure(await tenant.key.get("/v1/nothing?dryrun=1"), 404, "not_found");
    expectFailure(await tenant.key.delete("/v1/orders?dryrun=1"), 405, "method_not_allowed");
  });

  test("null is the same as a missing field, also in an import and when a request is repeated", async () => {
    const order = {
      ...{ customerId: tenant.customerId, currency: null, metadata: { color: null } },
      items: [{ ...LINE, quantity: null, taxAmount: null }],
      shippingAddress: { line1: "1 Main St", city: "Springfield", line2: null },
    };
    const { status, body } = await tenant.key.post("/v1/orders", order);
    expect(status).toBe(201);
    const { metadata, shippingAddress } = order;
    expect(body.data).toMatchObject({ currency: "USD", total: 0, metadata, shippingAddress });
    const imported = await tenant.key.post("/v1/orders/bulk", { orders: [order, null] });
    const [placed, refused] = imported.body.data;
    expect([placed.success, refused.error.details]).toEqual([
      true,
      [{ path: "orders[1]", message: "must be an object" }],
    ]);

    const key = { "Idempotency-Key": "with-and-without-null" };
    const first = await tenant.key.post("/v1/customers", { name: "Ada", phone: null }, key);
    const repeated = await tenant.key.post("/v1/customers", { name: "Ada" }, key);
    expect([first.status, repeated.status, repeated.body.data.id]).toEqual([201, 201, first.body.data.id]);
  });

  test("null is data in an entry's field", async () => {
    const fields = [{ key: "extra", type: "json", required: false }];
    await tenant.owner.put("/v1/content-types/note", { name: "Note", fields });
    const data = { extra: { size: null } };
    const entry = await tenant.key.post("/v1/entries", { type: "note", slug: null, data });
    expect([entry.status, entry.body.data.data]).toEqual([201, data]);
  });

  test("an order that is nested too deeply fails alone in an import", async () => {
    const order = (metadata: string) =>
      `{"customerId":"${tenant.customerId}","items":[{"sku":"A","name":"B"}],"metadata":${metadata}}`;
    const orders = [order(nested(70)), order(nested(60, "12345678901234567890"))];
    const { status, body } = await tenant.key.send("POST", "/v1/orders/bulk", {
      headers: JSON_TYPE,
      body: `{"orders":[${orders}]}`,
    });
    expect(status).toBe(200);
    expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([false, true]);
  });
});
