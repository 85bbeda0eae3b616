// Every route of every service, through the gateway: an unknown query parameter is 422 and named together with the allowed
// ones (interface §1), after 401 and 403.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ApiClient } from "@tradepost/testing";
import { apiClient, bearer } from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { routeTable } from "./support/route-table.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const JSON_BODY = { headers: { "content-type": "application/json" }, body: "{}" };

describe("an unknown query parameter", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let keyWithoutScopes: ApiClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    const { body } = await tenant.owner.post("/v1/api-keys", { label: "x", scopes: [] });
    keyWithoutScopes = apiClient(platform.url, bearer(body.data.key));
  });
  afterAll(() => platform.stop());

  test.each(routeTable.map((row) => [`${row.method} ${row.path}`, row] as const))(
    "of %s is 422",
    async (_name, { method, path, query, role }) => {
      const target = `${path.replace(":id", randomUUID()).replace(":name", "crm").replace(":slug", "post")}?dryrun=1`;
      const body = method === "GET" || method === "DELETE" ? {} : JSON_BODY;
      const caller = role === "anyone" ? apiClient(platform.url) : tenant.owner;
      const response = await caller.send(method, target, body);
      expectFailure(response, 422, "validation_error");
      const allowed = query === undefined ? [] : Object.keys((query as unknown as { shape: object }).shape);
      const hint =
        allowed.length === 0 ? "this path takes no query parameters" : `allowed are ${allowed.join(", ")}`;
      expect(response.body.error.details).toContainEqual({
        path: "dryrun",
        message: `unknown parameter; ${hint}`,
      });
    },
  );

  test("is 401 and 403 first", async () => {
    for (const [method, path] of [
      ["POST", "/v1/orders?dryrun=1"],
      ["DELETE", `/v1/redirects/${randomUUID()}?dryrun=1`],
      ["POST", `/v1/webhooks/deliveries/${randomUUID()}/redeliver?dryrun=1`],
      ["DELETE", `/v1/api-keys/${randomUUID()}?dryrun=1`],
    ] as const) {
      expectFailure(await apiClient(platform.url).send(method, path), 401, "unauthorized");
      expectFailure(await keyWithoutScopes.send(method, path), 403, "forbidden");
    }
  });

  test("does not matter on a path that does not exist, or that has other methods", async () => {
    expectFailure(await tenant.key.get("/v1/nothing?dryrun=1"), 404, "not_found");
    expectFailure(await tenant.key.delete("/v1/orders?dryrun=1"), 405, "method_not_allowed");
  });

  test("is named once, without its value, also if its name is empty or repeated", async () => {
    const { body } = await tenant.owner.post("/v1/redirects?token=secret&token=secret&=x", {
      from: "/a",
      to: "/b",
    });
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["token", '""']);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  test("is reported together with an invalid Idempotency-Key and the faults of the body", async () => {
    const response = await tenant.key.post(
      "/v1/customers?dryrun=1",
      { nam: "Ada" },
      { "Idempotency-Key": "a b" },
    );
    expectFailure(response, 422, "validation_error");
    const paths = response.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["Idempotency-Key", "dryrun", "nam", "name"]);
  });
});
