// Which refusal a request with several faults gets (interface §1): 401, 403, then 415/413/400/422, then 404, then 409;
// within 403 the module, the role, the scope. A caller learns nothing about what it may not see.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, apiClient, bearer, rawRequest } from "@tradepost/testing";
import pg from "pg";
import { expectFailure } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const JSON_TYPE = "application/json";
// Each body is also refused when nothing else is wrong.
const FAULTY_BODIES: [string, string, string][] = [
  ["of another type", "text/plain", "{}"],
  ["too large", JSON_TYPE, JSON.stringify({ name: "x".repeat(3 * 1024 * 1024) })],
  ["that is no JSON", JSON_TYPE, "{"],
  ["that is not valid", JSON_TYPE, '{"items":[]}'],
];

describe("the order of checks", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let viewerWithoutModules: ApiClient;
  let keyWithoutModules: ApiClient;
  let keyWithoutScopes: ApiClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    const bare = await platform.createTenant([]);
    const noScopes = async ({ owner }: TestTenant) => {
      const { body } = await owner.post("/v1/api-keys", { label: "x", scopes: [] });
      return apiClient(platform.url, bearer(body.data.key));
    };
    keyWithoutScopes = await noScopes(tenant);
    keyWithoutModules = await noScopes(bare);
    const database = new pg.Client(platform.databases.gateway);
    await database.connect();
    await database.query("update users set role = 'viewer' where tenant_id = $1", [bare.tenantId]);
    await database.end();
    viewerWithoutModules = bare.owner;
  });
  afterAll(() => platform.stop());

  const send = (caller: ApiClient, path: string, type: string, body: string) =>
    caller.send("POST", path, { headers: { "content-type": type }, body });

  describe.each(FAULTY_BODIES)("with a body %s", (_what, type, body) => {
    test.each(["/v1/orders", "/v1/redirects", "/v1/webhooks/subscriptions", "/v1/api-keys", "/v1/nothing"])(
      "401 comes first on %s",
      async (path) =>
        expectFailure(await send(apiClient(platform.url), path, type, body), 401, "unauthorized"),
    );

    test.each(["/v1/orders", "/v1/customers", "/v1/redirects"])(
      "the module comes before the role, the scope and the body on %s",
      async (path) => {
        expectFailure(await send(viewerWithoutModules, path, type, body), 403, "module_disabled");
        expectFailure(await send(keyWithoutModules, path, type, body), 403, "module_disabled");
      },
    );

    test.each(["/v1/orders", "/v1/customers", "/v1/redirects", "/v1/webhooks/subscriptions", "/v1/api-keys"])(
      "role and scope come before the body on %s",
      async (path) => expectFailure(await send(keyWithoutScopes, path, type, body), 403, "forbidden"),
    );
  });

  test("a chunked body without a length is refused in the same order", async () => {
    const bytes = JSON.stringify({ name: "x".repeat(3 * 1024 * 1024) });
    const chunk = `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n`;
    const inChunks = async (token: string, path: string) => {
      const headers = [`Authorization: Bearer ${token}`, "Content-Type: application/json"];
      return await rawRequest(
        platform.url,
        `POST ${path}`,
        [...headers, "Transfer-Encoding: chunked"],
        chunk,
      );
    };
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "x", scopes: [] });
    for (const path of ["/v1/orders", "/v1/redirects", "/v1/webhooks/subscriptions", "/v1/api-keys"]) {
      expectFailure(await inChunks("nobody", path), 401, "unauthorized");
      expectFailure(await inChunks(body.data.key, path), 403, "forbidden");
      expectFailure(await inChunks(tenant.ownerToken, path), 413, "payload_too_large");
    }
  });

  test("403 comes before 404 of an id", async () => {
    for (const path of [
      `/v1/orders/${randomUUID()}`,
      "/v1/customers/nobody",
      `/v1/redirects/${randomUUID()}`,
    ]) {
      expectFailure(await keyWithoutScopes.get(path), 403, "forbidden");
    }
    expectFailure(await keyWithoutScopes.delete(`/v1/api-keys/${randomUUID()}`), 403, "forbidden");
  });

  test("422 comes before 404 of the customer, and 404 before 409 of the number", async () => {
    const line = { sku: "A", name: "a" };
    const taken = { customerId: tenant.customerId, items: [line], orderNumber: "TAKEN" };
    expect((await tenant.key.post("/v1/orders", taken)).status).toBe(201);

    const everythingWrong = { ...taken, customerId: randomUUID(), items: [{ ...line, quantity: 0 }] };
    const invalid = await tenant.key.post("/v1/orders", everythingWrong);
    expectFailure(invalid, 422, "validation_error", ["items[0].quantity"]);
    const negative = await tenant.key.post("/v1/orders", {
      ...everythingWrong,
      items: [line],
      discountTotal: 1,
    });
    expectFailure(negative, 422, "validation_error", ["discountTotal"]);
    const noCustomer = await tenant.key.post("/v1/orders", { ...everythingWrong, items: [line] });
    expectFailure(noCustomer, 404, "not_found");
    expectFailure(await tenant.key.post("/v1/orders", taken), 409, "order_number_taken");
  });

  test("422 of a query comes before 404", async () => {
    expectFailure(await tenant.key.get("/v1/redirects/resolve?path=x"), 422, "validation_error", ["path"]);
    expectFailure(await tenant.key.get("/v1/redirects/resolve?path=/x"), 404, "not_found");
  });
});
