// The gateway without its database: it refuses every caller with 503, and recovers as soon as the database is back.
import { until } from "@tradepost/testing";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();
const tenant = await gateway.createTenant();
const { client: asKey } = await gateway.createKey(tenant);
const { anyone } = gateway;

describe("while the gateway's database is down", () => {
  test("every caller gets 503 with Retry-After until it is back", async () => {
    const { email, password } = tenant;
    await gateway.databaseLink.refuse();
    const responses = [
      await asKey.get("/v1/me"),
      await asKey.get("/v1/orders"),
      await tenant.owner.get("/v1/me"),
      await tenant.owner.post("/v1/api-keys", { label: "y", scopes: [] }),
      await gateway.signIn(email, password),
    ];
    for (const response of responses) {
      expect(response.body).toEqual({
        success: false,
        error: {
          code: "service_unavailable",
          message: expect.any(String),
          requestId: response.headers.get("x-request-id"),
        },
      });
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(response.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1|terminated/i);
    }
    expect((await anyone.get("/v1/me")).status).toBe(401);

    await gateway.databaseLink.restore();
    await until("a response", async () => (await asKey.get("/v1/me")).status === 200);
    expect((await tenant.owner.get("/v1/api-keys")).body.data).toHaveLength(1);
  });

  test("the gateway is alive but not ready until it is back", async () => {
    expect((await anyone.get("/readyz")).status).toBe(200);
    await gateway.databaseLink.refuse();
    expect((await anyone.get("/healthz")).status).toBe(200);
    expect(await anyone.get("/readyz")).toMatchObject({ status: 503, body: { missing: ["database"] } });
    await gateway.databaseLink.restore();
    await until("the gateway to be ready", async () => (await anyone.get("/readyz")).status === 200);
  });
});
