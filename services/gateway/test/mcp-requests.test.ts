// POST /mcp as a request: authenticated, limited and refused like any other, and never a 500.
import { listedOnce, TOOLS } from "../src/assistants/catalog.ts";
import { callTool, errorOf, JSON_TYPE, message, SCOPES, toolNames } from "./support/mcp-requests.ts";
import { data, useRecordingUpstream } from "./support/recording-upstream.ts";
import { outcome, useGateway } from "./support/test-gateway.ts";

const manyMembers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index}`, 1]));
// A separate limit applies to the depth of JSON.
const nestedMembers = { "example.com/a": [{ b: manyMembers }] };

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();
const { key, client } = await gateway.createKey(tenant, SCOPES);

describe("requests to /mcp", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    client.send("POST", "/mcp", { headers: { ...JSON_TYPE, ...headers }, body });

  test("without a valid credential are 401 with WWW-Authenticate", async () => {
    const response = await callTool(gateway.as(`sk_live_${"a".repeat(12)}_${"b".repeat(43)}`), "whoami");
    expect(outcome(response)).toEqual([401, "unauthorized"]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });

  test.each(["GET", "DELETE"])("with %s are 405 with Allow", async (method) => {
    const response = await client.send(method, "/mcp");
    expect(outcome(response)).toEqual([405, "method_not_allowed"]);
    expect(response.headers.get("allow")).toBe("POST");
  });

  // biome-ignore format: a table is read by its columns.
  test.each<[string, string, Record<string, string>, number, string]>([
    ["another content type", "{}", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ["invalid JSON", "{", {}, 400, "invalid_json"],
    ["deep JSON", "[".repeat(10_000) + "]".repeat(10_000), {}, 422, "validation_error"],
    ["a body above 2 MiB", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`, {}, 413, "payload_too_large"],
  ])("with %s are refused with the API's error", async (_, body, headers, status, code) => {
    const response = await post(body, headers);
    expect(outcome(response)).toEqual([status, code]);
    expect(response.headers.get("x-request-id")).toBe(response.body.error.requestId);
  });

  // biome-ignore format: a table is read by its columns.
  test.each<[string, string]>([
    ["a batch", `[${message("tools/list")}]`],
    ["an empty batch", "[]"],
    ["a text", '"tools/list"'],
    ["null", "null"],
    ["a huge number", "123456789012345678901234567890"],
    ["1,000 extra members", message("tools/list", { _meta: manyMembers })],
    ["1,000 extra members next to params", JSON.stringify({ ...JSON.parse(message("tools/list")), ...manyMembers })],
    ["1,000 extra members, one in another", message("tools/list", { _meta: nestedMembers })],
    ["a subscription", message("subscriptions/listen", { notifications: {} })],
  ])("with %s are refused with an error of JSON-RPC", async (_, body) => {
    const response = await post(body, {});
    expect([response.status, response.body]).toEqual([
      400,
      { jsonrpc: "2.0", id: /^{.*"id":1/.test(body) ? 1 : null, error: { code: -32_600, message: expect.any(String) } },
    ]);
  });

  // biome-ignore format: a table is read by its columns.
  test.each<[string, unknown, Record<string, string>]>([
    ["an empty object", {}, {}],
    ["no method", { jsonrpc: "2.0", id: 1 }, {}],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "no/such" }, {}],
    ["another JSON-RPC", { jsonrpc: "1.0", id: 1, method: "tools/list" }, {}],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "tools/list" }, {}],
    ["no name of a tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, {}],
    ["an unknown tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "toString" } }, {}],
    ["params that are a list", { jsonrpc: "2.0", id: 1, method: "tools/call", params: [] }, {}],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, {}],
    ["a revision that does not exist", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "1999-01-01" }],
    ["a modern header without its envelope", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-protocol-version": "2026-07-28" }],
    ["names that every object has", { __proto__: {}, constructor: 1, jsonrpc: "2.0", id: 1, method: "__proto__" }, {}],
  ])("with %s get an error of the protocol, or nothing, and never a 500", async (_, json, headers) => {
    const response = await post(JSON.stringify(json), headers);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("x-request-id")).not.toBeNull();
    const isRefused = response.status === 202 || response.body.error !== undefined;
    expect([response.status, response.body, isRefused]).toEqual([response.status, response.body, true]);
  });

  test("with many arguments are served, since a tool limits its arguments itself", async () => {
    const { status, body } = await post(message("tools/call", { name: "whoami", arguments: manyMembers }));
    expect([status, body.result.isError]).toEqual([200, true]);
    expect(body.result.content[0].text).toContain("unknown field");
  });

  test("with notifications are 202 without a body", async () => {
    const response = await post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    expect([response.status, response.text]).toEqual([202, ""]);
  });

  test("get JSON, whatever the client says it accepts, with the caller's request id", async () => {
    for (const accept of ["application/json", "text/event-stream", "*/*"]) {
      const response = await post(message("tools/list"), { accept, "x-request-id": "from-a-test" });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(response.headers.get("x-request-id")).toBe("from-a-test");
      expect(response.headers.get("mcp-session-id")).toBeNull();
    }
  });

  describe("from web pages", () => {
    const from = (origin: string, url = gateway.url) =>
      gateway.as(key, url).send("POST", "/mcp", {
        headers: { ...JSON_TYPE, origin },
        body: message("tools/list"),
      });

    test("of the gateway's own host are served, also if TLS ends at a proxy", async () => {
      const { host } = new URL(gateway.url);
      expect((await from(`http://${host}`)).status).toBe(200);
      expect((await from(`https://${host}`)).status).toBe(200);
    });

    const foreign = ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "", "not an origin"];
    test.each(foreign)("of %p are 403", async (origin) => {
      expect(outcome(await from(origin))).toEqual([403, "forbidden"]);
    });

    test("are 403 before their bodies are read", async () => {
      const headers = { ...JSON_TYPE, origin: "https://evil.example" };
      for (const body of ["{", `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`])
        expect((await post(body, headers)).status).toBe(403);
    });

    test("are served only if their origin is in MCP_ALLOWED_ORIGINS, if that is set", async () => {
      const origins = "https://app.example, https://b.example:8443";
      const { url } = await gateway.startReplica({ MCP_ALLOWED_ORIGINS: origins });
      expect((await from("https://app.example", url)).status).toBe(200);
      expect((await from("https://b.example:8443", url)).status).toBe(200);
      expect((await from("https://b.example", url)).status).toBe(403);
      expect((await from(url, url)).status).toBe(403);
      expect((await callTool(gateway.as(key, url), "whoami")).status).toBe(200);
    });
  });

  describe("within the limits", () => {
    test("cost 1 each; a tool's second and further requests cost 1 each, and order lines what they cost over HTTP", async () => {
      const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "4", ORDERS_URL: upstream.url });
      const order = { id: "01a204a0-0095-7333-a013-c19b41c23477", items: [], allowedActions: [] };
      const left = async (name: string, args: object) => {
        const other = gateway.as((await gateway.createKey(tenant, SCOPES)).key, url);
        return Number((await callTool(other, name, args)).headers.get("ratelimit-remaining"));
      };
      upstream.respondWith((res, recorded) =>
        data(/timeline|payments/.test(recorded.req.url ?? "") ? [] : order)(res, recorded),
      );
      // 7 of 8 are left. One is added every 250 ms.
      expect(await left("whoami", {})).toBe(7);
      expect(await left("get_order", { order_id: order.id, detail: "full" })).toBeLessThan(7);
      const items = Array.from({ length: 500 }, () => ({ sku: "A", name: "a", unit_price: 1 }));
      expect(await left("place_order", { customer_id: order.id, items })).toBeLessThan(5);
    });

    test("count as the tenant's requests in progress until they end, and all end", async () => {
      const { url } = await gateway.startReplica({ TENANT_CONCURRENCY_MAX: "2", ORDERS_URL: upstream.url });
      const inProgress = new Set<object>();
      let most = 0;
      upstream.respondWith((res, recorded) => {
        most = Math.max(most, inProgress.add(res).size);
        setImmediate(() => {
          inProgress.delete(res);
          data([])(res, recorded);
        });
      });
      const client = gateway.as(key, url);
      // Connects the new replica to its database, which takes longest on a busy machine.
      await callTool(client, "whoami");
      const responses = await Promise.all(Array.from({ length: 12 }, () => callTool(client, "find_orders")));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(most).toBeLessThanOrEqual(2);
    });
  });

  describe("show the tools", () => {
    const all = TOOLS.map(({ name }) => name);
    const always = ["whoami"];
    const reads = ["find_customers", "find_orders", "get_order", "sales_summary", "wait_for_event"];
    const writes = ["deliver_order", "fulfill_order", "place_order", "record_payment", "save_customer"];

    // biome-ignore format: a table is read by its columns.
    test.each<[string, string[], string[]]>([
      ["no scope", [], []],
      ["read:crm", ["read:crm"], reads],
      ["write:crm", ["write:crm"], writes],
      ["read:crm and write:crm", ["read:crm", "write:crm"], [...reads, ...writes, "cancel_order", "refund_order"]],
      ["write:crm_bulk", ["write:crm_bulk"], []],
      ["read:content", ["read:content"], ["search_content", "wait_for_event", "webhook_problems"]],
      ["write:content", ["write:content"], ["save_entry_draft"]],
    ])("that a key with %s may use", async (_, scopes, expected) => {
      const { client } = await gateway.createKey(tenant, scopes);
      const names = await toolNames(client);
      expect(names.toSorted()).toEqual([...always, ...expected].sort());
      for (const name of all.filter((one) => !names.includes(one))) {
        const error = errorOf(await callTool(client, name, {}));
        expect([error.code, error.message]).toEqual(["forbidden", expect.stringContaining("scope")]);
      }
    });

    test("of the active modules only, from the next request on", async () => {
      const other = await gateway.createTenant();
      const { client } = await gateway.createKey(other, SCOPES);
      expect((await toolNames(client)).toSorted()).toEqual(all.toSorted());
      expect(all).toHaveLength(16);
      await other.owner.put("/v1/modules/crm", { active: false });
      expect((await toolNames(client)).toSorted()).toEqual(
        [...always, "save_entry_draft", "search_content", "wait_for_event", "webhook_problems"].sort(),
      );
      expect(errorOf(await callTool(client, "find_orders"))).toMatchObject({ code: "module_disabled" });
      const me = (await callTool(client, "whoami")).body.result.structuredContent;
      expect(me.modules).toEqual(["content"]);
      expect(me.missing).toContainEqual({
        tool: "get_order",
        because: 'The module "crm" is not active for this tenant.',
      });
    });

    test("that the role of a signed-in user allows", async () => {
      expect((await toolNames(tenant.owner)).toSorted()).toEqual(all.toSorted());
      const viewer = await gateway.createStaff(tenant);
      const names = await toolNames(viewer.client);
      expect(names.toSorted()).toEqual([...always, ...reads, "search_content", "webhook_problems"].sort());
    });
  });

  test("pass no credential to a service, and the id of the request to /mcp", async () => {
    upstream.respondWith(data([]));
    const from = upstream.recorded.length;
    const headers = { "x-request-id": "one-id", cookie: "a=b" };
    await callTool(client, "find_customers", { email: "a@b.example" }, headers);
    const [{ req } = { req: undefined }] = upstream.recorded.slice(from);
    expect(req?.url).toBe("/v1/customers?email=a%40b.example&limit=10");
    expect(req?.headers).toMatchObject({ "x-request-id": "one-id", "x-tenant-id": tenant.tenantId });
    expect(JSON.stringify(req?.headers)).not.toContain(key);
    expect(req?.headers.cookie).toBeUndefined();
    expect(req?.headers.authorization).toBeUndefined();
  });
});

interface ListedSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ListedSchema>>;
  readonly items?: ListedSchema;
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  "%s describes each argument, takes no other, and says what it may change",
  (_, tool) => {
    const undescribed = (schema: ListedSchema, place: string): string[] => [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
        ...(inner.description === undefined ? [place + name] : []),
        ...undescribed(inner, `${place}${name}.`),
      ]),
      ...(schema.items === undefined ? [] : undescribed(schema.items, place)),
    ];
    const { annotations, inputSchema, outputSchema } = listedOnce(tool);
    expect(undescribed(inputSchema as ListedSchema, "")).toEqual([]);
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: "object" });
    const hints = ["readOnlyHint", "openWorldHint"];
    if (annotations?.readOnlyHint !== true) hints.push("destructiveHint", "idempotentHint");
    expect(Object.keys(annotations ?? {})).toEqual(expect.arrayContaining(hints));
  },
);
