// JSON nested too deeply is a client error on every route with a body, with and without an Idempotency-Key.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const ID = "01900000-0000-7000-8000-000000000000";
const DEPTHS = [70, 101, 1_500, 5_000, 100_000];

describe("a body nested too deeply", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const post = (method: string, path: string, body: string) =>
    tenant.owner.send(method, path, {
      headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
      body,
    });
  const nested = (depth: number, inner: string) =>
    `${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`;

  test.each([
    ["POST", "/v1/auth/login"],
    ["POST", "/v1/api-keys"],
    ["POST", "/v1/users"],
    ["PUT", "/v1/modules/crm"],
    ["POST", "/v1/orders"],
    ["POST", "/v1/orders/bulk"],
    ["POST", `/v1/orders/${ID}/payments`],
    ["POST", `/v1/orders/${ID}/cancel`],
    ["POST", "/v1/customers"],
    ["PATCH", `/v1/customers/${ID}`],
    ["POST", "/v1/redirects"],
    ["PUT", "/v1/content-types/deep"],
    ["POST", "/v1/entries"],
    ["PATCH", `/v1/entries/${ID}`],
    ["POST", `/v1/entries/${ID}/schedule`],
    ["POST", "/v1/webhooks/subscriptions"],
    ["POST", `/v1/webhooks/subscriptions/${ID}/recover`],
  ])("%s %s is 4xx", async (method, path) => {
    for (const depth of DEPTHS) {
      // The second number has too many digits for a double, which selects the exact parser.
      for (const inner of ["1", "12345678901234567890"]) {
        const { status, body } = await post(method, path, nested(depth, inner));
        const isTooLarge = path.startsWith("/v1/auth") && depth > 1_000;
        expect([depth, status, body.error.code]).toEqual([
          depth,
          isTooLarge ? 413 : 422,
          isTooLarge ? "payload_too_large" : "validation_error",
        ]);
      }
    }
  });

  test("is refused with its field's path, or as a whole if it is extremely deep", async () => {
    const body = (depth: number) => `{"name":"A","metadata":${nested(depth, "1")}}`;
    const faultsOf = async (depth: number) =>
      (await post("POST", "/v1/customers", body(depth))).body.error.details;
    expect(await faultsOf(70)).toEqual([
      {
        path: expect.stringMatching(/^metadata\.a\[0\]\.a\[0\]/),
        message: "is nested deeper than 64 levels",
      },
    ]);
    expect(await faultsOf(1_500)).toEqual([{ path: "body", message: "is nested deeper than 100 levels" }]);
  });

  test("fails alone in a bulk request: the other orders are placed", async () => {
    const order = (metadata: string) =>
      `{"customerId":"${tenant.customerId}","items":[{"sku":"A","name":"B"}],"metadata":${metadata}}`;
    const { status, body } = await post(
      "POST",
      "/v1/orders/bulk",
      `{"orders":[${order(nested(70, "1"))},${order(nested(60, "12345678901234567890"))}]}`,
    );
    expect(status).toBe(200);
    expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([false, true]);
  });
});
