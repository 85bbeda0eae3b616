// While one service is down, its paths respond with 503 and Retry-After, and all other paths work.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { expectFailure } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

describe("while the orders service is down", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    await platform.stopOrders();
  });
  afterAll(() => platform.stop());

  test("its paths are 503 service_unavailable with Retry-After, reads and writes", async () => {
    for (const response of [
      await tenant.key.get("/v1/customers"),
      await tenant.key.get("/v1/orders/1"),
      await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items: [] }),
      await tenant.key.post("/v1/orders", { metadata: { text: "x".repeat(3 * 1024 * 1024) } }),
    ]) {
      expectFailure(response, 503, "service_unavailable");
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  });

  test("a request without a credential is still 401, and an unknown path 404", async () => {
    expect((await fetch(`${platform.url}/v1/orders`)).status).toBe(401);
    expectFailure(await tenant.key.get("/v1/nothing"), 404, "not_found");
  });

  test("the other services respond as before", async () => {
    expect((await tenant.key.get("/v1/me")).status).toBe(200);
    expect((await tenant.key.post("/v1/redirects", { from: "/a", to: "/b" })).status).toBe(201);
    expect((await tenant.key.get("/v1/webhooks/subscriptions")).status).toBe(200);
  });
});
