// Every error of interface §1 except those about bodies, as clients get them from the gateway.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer, rawRequest } from "@tradepost/testing";
import pg from "pg";
import { expectFailure, withoutRequestId } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const JSON_BODY = { "content-type": "application/json" };

describe("errors through the gateway", () => {
  let platform: TestPlatform;
  let database: pg.Client;
  let tenant: TestTenant;
  let stranger: TestTenant;
  // Callers that lack the crm module, the role or the scope.
  let withoutCrm: TestTenant;
  let viewer: ApiClient;
  let readOnlyKey: ApiClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    database = new pg.Client(platform.databases.gateway);
    await database.connect();
    tenant = await platform.createTenant();
    stranger = await platform.createTenant();
    withoutCrm = await platform.createTenant(["content"]);
    const demoted = await platform.createTenant();
    await database.query("update users set role = 'viewer' where tenant_id = $1", [demoted.tenantId]);
    viewer = demoted.owner;
    readOnlyKey = apiClient(platform.url, bearer((await newKey(["read:crm", "read:content"])).key));
  });
  afterAll(async () => {
    await database.end();
    await platform.stop();
  });

  const newKey = async (scopes: string[] = []) =>
    (await tenant.owner.post("/v1/api-keys", { label: "Short-lived", scopes })).body.data;
  const order = () => ({ customerId: tenant.customerId, items: [{ sku: "A-1", name: "Mug" }] });

  describe("401 unauthorized", () => {
    const PATHS = [
      "/v1/me",
      "/v1/orders",
      "/v1/redirects/1",
      "/v1/webhooks/subscriptions",
      "/v1/nothing",
      "/v1/api-keys/%",
    ];

    test.each(PATHS)("is the same on %s for every kind of invalid credential", async (path) => {
      const [revoked, expired] = [await newKey(), await newKey()];
      await tenant.owner.delete(`/v1/api-keys/${revoked.id}`);
      await database.query("update api_keys set expires_at = now() where id = $1", [expired.id]);
      const genuine = tenant.apiKey;
      const credentials = [
        `Bearer sk_live_${"0".repeat(12)}_${"0".repeat(43)}`,
        `Bearer ${genuine.slice(0, -1)}${genuine.endsWith("0") ? "1" : "0"}`,
        `Bearer ${genuine.slice(0, -1)}`,
        `Bearer ${genuine}0`,
        `Bearer ${genuine} ${genuine}`,
        `Bearer ${revoked.key}`,
        `Bearer ${expired.key}`,
        "Bearer not.a.token",
        "Bearer",
        `Basic ${Buffer.from(`${genuine}:`).toString("base64")}`,
        genuine,
      ];
      const anonymous = await apiClient(platform.url).get(path);
      expectFailure(anonymous, 401, "unauthorized");
      for (const authorization of credentials) {
        const response = await apiClient(platform.url, { authorization }).get(path);
        expectFailure(response, 401, "unauthorized");
        expect(withoutRequestId(response)).toEqual(withoutRequestId(anonymous));
      }
    });

    test.each([
      [
        "two valid ones",
        () => [`Authorization: Bearer ${tenant.apiKey}`, `Authorization: Bearer ${tenant.apiKey}`],
      ],
      ["a good one and an empty one", () => [`Authorization: Bearer ${tenant.apiKey}`, "authorization:"]],
    ])("is given for two Authorization headers: %s", async (_which, headers) => {
      expectFailure(await rawRequest(platform.url, "GET /v1/me", headers()), 401, "unauthorized");
      const single = await rawRequest(platform.url, "GET /v1/me", headers().slice(0, 1));
      expect(single.status).toBe(200);
    });
  });

  describe("403", () => {
    test.each<[string, () => ApiClient, string, string, string]>([
      [
        "module_disabled for an order, to a key",
        () => withoutCrm.key,
        "POST",
        "/v1/orders",
        "module_disabled",
      ],
      [
        "module_disabled for a read, to the owner",
        () => withoutCrm.owner,
        "GET",
        `/v1/orders/${randomUUID()}`,
        "module_disabled",
      ],
      ["forbidden for an order, to a viewer", () => viewer, "POST", "/v1/orders", "forbidden"],
      ["forbidden for a redirect, to a viewer", () => viewer, "POST", "/v1/redirects", "forbidden"],
      ["forbidden for keys, to a viewer", () => viewer, "GET", "/v1/api-keys", "forbidden"],
      [
        "forbidden for a subscription, to a key",
        () => tenant.key,
        "POST",
        "/v1/webhooks/subscriptions",
        "forbidden",
      ],
      ["forbidden for an order, without write:crm", () => readOnlyKey, "POST", "/v1/orders", "forbidden"],
      [
        "forbidden for a redirect, without write:content",
        () => readOnlyKey,
        "DELETE",
        `/v1/redirects/${randomUUID()}`,
        "forbidden",
      ],
    ])("%s", async (_what, caller, method, path, code) => {
      const body = method === "POST" ? { headers: JSON_BODY, body: "{}" } : {};
      expectFailure(await caller().send(method, path, body), 403, code);
    });

    test("write:crm does not imply read:crm", async () => {
      const writer = apiClient(platform.url, bearer((await newKey(["write:crm"])).key));
      expect((await writer.post("/v1/orders", order())).status).toBe(201);
      expectFailure(await writer.get("/v1/customers"), 403, "forbidden");
    });
  });

  test("every response has an X-Request-Id: the caller's if well-formed, otherwise a new one", async () => {
    for (const path of ["/v1/me", "/v1/orders", "/v1/nothing", "/healthz", "/readyz"]) {
      for (const given of ["mine-1._A", "x".repeat(128)]) {
        const { headers } = await tenant.key.get(path, { "x-request-id": given });
        expect(headers.get("x-request-id")).toBe(given);
      }
      for (const given of ["", "two words", "x".repeat(129), "a/b"]) {
        const { headers } = await tenant.key.get(path, { "x-request-id": given });
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      }
    }
  });

  describe("404 not_found", () => {
    test.each([
      "/v1/nothing",
      "/v1",
      "/",
      "/v2/orders",
      "/v1/orders/1/2",
      "/v1/api-keys/a/b",
      "/V1/me",
      "/v1/redirects/%E0%A4%A",
    ])("for the unknown path %s", async (path) =>
      expectFailure(await tenant.owner.get(path), 404, "not_found"),
    );

    test("another tenant's id looks like an unknown id and like a malformed one", async () => {
      const { owner, key } = stranger;
      const webhook = { name: "x", url: "https://localhost/", events: ["media.uploaded"] };
      const created = {
        "/v1/orders": await key.post("/v1/orders", { ...order(), customerId: stranger.customerId }),
        "/v1/customers": await key.get(`/v1/customers/${stranger.customerId}`),
        "/v1/redirects": await key.post("/v1/redirects", { from: "/theirs", to: "/x" }),
        "/v1/api-keys": await owner.post("/v1/api-keys", { label: "x", scopes: [] }),
        "/v1/webhooks/subscriptions": await owner.post("/v1/webhooks/subscriptions", webhook),
      };
      for (const [path, { body }] of Object.entries(created)) {
        expect((await owner.get(`${path}/${body.data.id}`)).status).toBe(200);
        const theirs = await tenant.owner.get(`${path}/${body.data.id}`);
        expectFailure(theirs, 404, "not_found");
        for (const id of [randomUUID(), "1001", "%20"]) {
          const missing = await tenant.owner.get(`${path}/${id}`);
          expectFailure(missing, 404, "not_found");
          if (id.length === 36) expect(withoutRequestId(missing)).toEqual(withoutRequestId(theirs));
        }
      }
    });
  });

  test.each<[string, string, string[]]>([
    ["POST", "/v1/me", ["GET"]],
    ["PUT", "/v1/auth/login", ["POST"]],
    ["PUT", "/v1/api-keys", ["GET", "POST"]],
    ["PUT", `/v1/api-keys/${randomUUID()}`, ["DELETE", "GET", "PATCH"]],
    ["PUT", `/v1/redirects/${randomUUID()}`, ["DELETE", "GET"]],
    ["DELETE", "/v1/redirects", ["GET", "POST"]],
    ["PUT", "/v1/redirects/resolve", ["DELETE", "GET"]],
  ])("405 method_not_allowed with Allow: %s %s takes %s", async (method, path, allowed) => {
    const response = await tenant.owner.send(method, path, { headers: JSON_BODY, body: "{}" });
    expectFailure(response, 405, "method_not_allowed");
    expect(response.headers.get("allow")?.split(", ").sort()).toEqual(allowed);
  });
});
