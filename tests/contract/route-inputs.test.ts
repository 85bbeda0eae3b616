// The input of every route of every service, without the services: their route tables are served with a handler that only parses.
// packages/http tests which faults a body may have.
import { randomUUID } from "node:crypto";
import { routeTable } from "@tradepost/api-description/route-table";
import {
  ApiError,
  BODY_BYTES_MAX,
  bodyOf,
  type Principal,
  type Route,
  serveHttp,
  startListening,
} from "@tradepost/http";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { apiClient, type ClientResponse } from "@tradepost/testing";

const JSON_TYPE = { "content-type": "application/json" };
const SIGN_IN_BYTES_MAX = 4 * 1024;

/** The optional fields of each POST whose schema the route table does not contain. */
const OPTIONAL_BY_HAND: Record<string, readonly string[]> = {
  "/v1/orders": [
    ...["currency", "channel", "propertyId", "shippingTotal", "discountTotal", "taxTotal", "shippingAddress"],
    ...["billingAddress", "customerNote", "internalNote", "orderNumber", "externalId", "metadata"],
    ...["quantity", "unitPrice", "taxAmount", "productId", "variantId", "description"].map(
      (name) => `items[0].${name}`,
    ),
  ],
  "/v1/orders/bulk": [],
  "/v1/entries": ["slug", "locale"],
  "/v1/webhooks/listeners/:id/deliveries/:deliveryId/result": ["responseBody", "durationMs", "outcome"],
};

const OWNER: Principal = {
  tenantId: randomUUID(),
  role: "owner",
  actor: { type: "user", id: randomUUID(), name: "Ada" },
  scopes: [],
  modules: ["crm", "content"],
};

/** The bodies that were valid. */
const parsed: unknown[] = [];
const http = await serve();
beforeEach(() => {
  parsed.length = 0;
});
afterAll(() => http.stop());

async function serve() {
  return serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: routeTable.map((row) => ({ ...row, handle: ({ body }) => finish(body) })),
    identify: () => OWNER,
    readiness: {},
    replicated: async () => {},
    logger: createLogger("test", "silent"),
    metrics: createMetrics("test"),
    metricsOn: "another port",
    isUnavailable: () => false,
  });
}

/**
 * Ends a request with valid input: it gets 503. Some handlers validate the body themselves, together with the path or a content
 * type.
 */
function finish(body: unknown): never {
  const isDeferred = typeof (body as { validate?: unknown } | undefined)?.validate === "function";
  if (typeof body === "function") parsed.push(body("an external id"));
  else parsed.push(isDeferred ? (body as { validate(faults: []): unknown }).validate([]) : body);
  throw new ApiError("service_unavailable", "The input is valid.");
}

const send = (
  { method, path }: Route,
  query: string,
  body?: string,
  headers: Record<string, string> = JSON_TYPE,
) =>
  apiClient(http.url).send(method, path.replaceAll(/:\w+/g, () => randomUUID()) + query, {
    ...(body !== undefined && { headers, body }),
  });

/** Expects this status and code in the envelope of every refusal (interface §1). */
function expectFailure({ status, body, headers }: ClientResponse, expected: number, code: string): void {
  expect({ status, body }).toEqual({
    status: expected,
    body: {
      success: false,
      error: {
        ...{ code, message: expect.stringMatching(/\S/), requestId: headers.get("x-request-id") },
        ...(expected === 422 && { details: expect.any(Array) }),
      },
    },
  });
}

const named = (rows: readonly Route[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);
const withBody = routeTable.filter((row) => bodyOf(row) !== undefined);

// Providers add parameters of their own.
const isStrict = ({ path }: Route) => path !== "/v1/auth/oidc/callback";

test.each(named(routeTable.filter(isStrict)))(
  "an unknown query parameter of %s is 422",
  async (_name, row) => {
    const response = await send(row, "?dryrun=1", row.method === "GET" ? undefined : "{}");
    expectFailure(response, 422, "validation_error");
    const allowed = Object.keys(shapeOf(row.query));
    const hint =
      allowed.length === 0 ? "this path takes no query parameters" : `allowed are ${allowed.join(", ")}`;
    expect(response.body.error.details).toContainEqual({
      path: "dryrun",
      message: `unknown parameter; ${hint}`,
    });
  },
);

const lists = routeTable.filter(({ query }) => "cursor" in shapeOf(query));

test.each(named(lists))(
  "%s refuses a limit out of range and text that is not a cursor",
  async (_name, row) => {
    for (const [field, value] of [
      ...["0", "101", "x"].map((limit) => ["limit", limit]),
      ["cursor", "nonsense"],
    ]) {
      const response = await send(row, `?${field}=${value}`);
      expectFailure(response, 422, "validation_error");
      expect(response.body.error.details).toContainEqual({ path: field, message: expect.any(String) });
    }
  },
);

describe.each(named(withBody))("%s", (_name, row) => {
  test("refuses a body of another type, that is not JSON, or that is not an object", async () => {
    expectFailure(await send(row, "", "{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
    expectFailure(await send(row, "", "{"), 400, "invalid_json");
    for (const body of ["[]", "null", '"text"', "7"]) {
      const response = await send(row, "", body);
      expectFailure(response, 422, "validation_error");
      expect(response.body.error.details).toContainEqual({ path: "body", message: expect.any(String) });
    }
  });

  test("refuses an unknown field, by its name", async () => {
    const response = await send(row, "", '{"tenantId":"x","__proto__":{"role":"owner"}}');
    expectFailure(response, 422, "validation_error");
    for (const path of ["tenantId", "__proto__"])
      expect(response.body.error.details).toContainEqual({ path, message: "unknown field" });
  });
});

const bytesMaxOf = ({ path }: Route) =>
  /^\/v1\/(auth\/|me\/(password|second-factor)|security$)/.test(path) ? SIGN_IN_BYTES_MAX : BODY_BYTES_MAX;

test.each(named(withBody))("a body of %s that is larger than its limit is 413", async (_name, row) => {
  expectFailure(await send(row, "", "{}".padEnd(bytesMaxOf(row) + 1)), 413, "payload_too_large");
});

test("a body of exactly the limit is read, for one route of each limit", async () => {
  for (const [bytesMax, [row]] of Map.groupBy(withBody, bytesMaxOf))
    expect((await send(row as Route, "", "{}".padEnd(bytesMax))).status).not.toBe(413);
});

describe("null in the body of a POST", () => {
  const posts = withBody.filter(({ method, body }) => method === "POST" && body !== undefined);

  test.each(posts.map((row) => [row.path, row] as const))(
    "counts as missing in each optional field of %s",
    async (path, row) => {
      const names = OPTIONAL_BY_HAND[path] ?? optionalFields(row);
      const missing = names.some((name) => name.startsWith("items[0].")) ? { items: [{}] } : {};
      const [without, withNulls] = [
        await send(row, "", JSON.stringify(missing)),
        await send(row, "", JSON.stringify(names.reduce(withNull, missing))),
      ];
      expect([422, 503]).toContain(withNulls.status);
      expect(withNulls.status).toBe(without.status);
      expect(withNulls.body.error.details).toEqual(without.body.error.details);
      expect(parsed[1]).toEqual(parsed[0]);
    },
  );

  test("is the same as a missing field of a valid order, and data in its metadata and addresses", async () => {
    const row = posts.find(({ path }) => path === "/v1/orders") as Route;
    const data = {
      metadata: { color: null, nested: { size: null } },
      shippingAddress: { line1: "1 Main St", city: "Springfield", line2: null },
    };
    const order = { customerId: "c", items: [{ sku: "A", name: "a" }], ...data };
    const names = OPTIONAL_BY_HAND["/v1/orders"]?.filter((name) => !Object.keys(data).includes(name)) ?? [];
    await send(row, "", JSON.stringify(order));
    await send(row, "", JSON.stringify(names.reduce(withNull, order)));
    expect(parsed).toHaveLength(2);
    expect(parsed[1]).toEqual(parsed[0]);
    // Some fields hold the text of their JSON.
    const read = JSON.parse(JSON.stringify(parsed[0]));
    expect(read).toMatchObject({ currency: "USD", channel: "admin", ...data });
  });
});

function shapeOf(schema: Route["query"]): object {
  return (schema as { shape?: object } | undefined)?.shape ?? {};
}

type Body = Record<string, unknown>;

/** Sets a field such as `items[0].quantity` to null. */
function withNull(body: Body, path: string): Body {
  const [list, name] = path.split("[0].");
  if (list === undefined || name === undefined) return { ...body, [path]: null };
  const lines = body[list] as Body[];
  return { ...body, [list]: lines.map((line) => ({ ...line, [name]: null })) };
}

/** Returns the optional fields of a body whose schema is an object. */
function optionalFields({ path, body }: Route): string[] {
  const { shape } = body as unknown as {
    shape?: Record<string, { safeParse(value: undefined): { success: boolean } }>;
  };
  if (shape === undefined) throw new Error(`list the optional fields of POST ${path} by hand`);
  return Object.entries(shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? [name] : []));
}
