// While PROXY_HOPS is 0, every request with X-Forwarded-For is counted once, authenticated or not.
import { describe, expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway({ METRICS_PORT: "0" });
const tenant = await gateway.createTenant();

describe("a gateway behind a proxy, with PROXY_HOPS 0", () => {
  test("counts each authenticated and anonymous request once", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.1" };
    const { email, password } = tenant;
    const anyone = apiClient(gateway.url);
    const statuses = [
      await tenant.owner.get("/v1/me", forwarded),
      await tenant.owner.get("/v1/orders", forwarded),
      await tenant.owner.post("/v1/api-keys", { label: "x", scopes: [] }, forwarded),
      await anyone.get("/v1/me", forwarded),
      await anyone.post("/v1/auth/login", { email, password }, forwarded),
      await anyone.post("/v1/auth/refresh", undefined, forwarded),
      await anyone.post("/v1/auth/logout", undefined, forwarded),
      await anyone.get(
        `/v1/media/${tenant.tenantId}/links/file?tenant=${tenant.tenantId}&expires=1&signature=2`,
        forwarded,
      ),
      await tenant.owner.get("/v1/me"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 503, 201, 401, 200, 401, 200, 503, 200]);
    const metrics = await (await fetch(gateway.metricsUrl ?? "")).text();
    expect(metrics).toMatch(/^forwarded_for_ignored_total\{service="gateway"\} 8$/m);
    const { data } = (await tenant.owner.get("/v1/audit-log?action=api_key.created")).body;
    expect(data).toMatchObject([{ ip: "127.0.0.1" }]);
  });
});
