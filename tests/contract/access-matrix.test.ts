// Who may use which route: every route of every service with every kind of caller, over HTTP through the gateway. The
// expectations are written by hand from docs/interface.md. A route without a row fails, and so does a row without a route.
import { randomUUID } from "node:crypto";
import { routeTable } from "@tradepost/api-description/route-table";
import { type Role, roles, scopes } from "@tradepost/http";
import { apiClient, bearer, until } from "@tradepost/testing";
import { type SharedPlatform, sharedPlatform, type TestTenant } from "../support/test-platform.ts";

/** A key's expiry must be in the future when the key is created. This is long enough on a busy machine. */
const EXPIRES_AFTER_MS = 5_000;

type Row = [module: "crm" | "content" | "-", role: Role | "anyone", scope: string, usersOnly?: "users only"];

// biome-ignore format: columns of the table are aligned.
const EXPECTED: Record<string, Row> = {
  "GET /v1/openapi.json":                    ["-",       "anyone", "-"],
  "POST /v1/auth/login":                     ["-",       "anyone", "-"],
  "POST /v1/auth/second-factor":             ["-",       "anyone", "-"],
  "POST /v1/auth/refresh":                   ["-",       "anyone", "-"],
  "POST /v1/auth/logout":                    ["-",       "anyone", "-"],
  "POST /v1/auth/revoke-key":                ["-",       "anyone", "-"],
  "GET /v1/auth/methods":                    ["-",       "anyone", "-"],
  "GET /v1/auth/oidc/start":                 ["-",       "anyone", "-"],
  "GET /v1/auth/oidc/callback":              ["-",       "anyone", "-"],
  "POST /v1/auth/setup":                     ["-",       "anyone", "-"],
  "GET /v1/me":                              ["-",       "viewer", "-"],
  "POST /v1/me/password":                    ["-",       "viewer", "-", "users only"],
  "DELETE /v1/me/identity":                  ["-",       "viewer", "-", "users only"],
  "GET /v1/me/sessions":                     ["-",       "viewer", "-", "users only"],
  "DELETE /v1/me/sessions/:id":              ["-",       "viewer", "-", "users only"],
  "POST /v1/me/second-factor":               ["-",       "viewer", "-", "users only"],
  "POST /v1/me/second-factor/confirm":       ["-",       "viewer", "-", "users only"],
  "DELETE /v1/me/second-factor":             ["-",       "viewer", "-", "users only"],
  "GET /v1/api-keys":                        ["-",       "admin",  "-"],
  "POST /v1/api-keys":                       ["-",       "admin",  "-"],
  "GET /v1/api-keys/:id":                    ["-",       "admin",  "-"],
  "PATCH /v1/api-keys/:id":                  ["-",       "admin",  "-"],
  "POST /v1/api-keys/:id/rotate":            ["-",       "admin",  "-"],
  "DELETE /v1/api-keys/:id":                 ["-",       "admin",  "-"],
  "GET /v1/users":                           ["-",       "admin",  "-"],
  "POST /v1/users":                          ["-",       "admin",  "-"],
  "PATCH /v1/users/:id":                     ["-",       "admin",  "-"],
  "DELETE /v1/users/:id":                    ["-",       "admin",  "-"],
  "POST /v1/users/:id/setup-link":           ["-",       "admin",  "-"],
  "GET /v1/users/:id/sessions":              ["-",       "admin",  "-"],
  "DELETE /v1/users/:id/sessions":           ["-",       "admin",  "-"],
  "DELETE /v1/users/:id/second-factor":      ["-",       "admin",  "-"],
  "GET /v1/security":                        ["-",       "admin",  "-"],
  "PUT /v1/security":                        ["-",       "owner",  "-"],
  "GET /v1/modules":                         ["-",       "viewer", "-"],
  "PUT /v1/modules/:name":                   ["-",       "owner",  "-"],
  "GET /v1/shop":                            ["-",       "viewer", "read:crm or read:content"],
  "PATCH /v1/shop":                          ["-",       "admin",  "-"],
  "GET /v1/audit-log":                       ["-",       "admin",  "-"],
  "GET /v1/audit-log/export":                ["-",       "admin",  "-"],
  "GET /v1/audit-log/head":                  ["-",       "admin",  "-"],
  "GET /v1/requests":                        ["-",       "admin",  "-"],
  "GET /v1/requests/:requestId":             ["-",       "admin",  "-"],
  "GET /v1/usage":                           ["-",       "admin",  "-"],
  "POST /v1/orders":                         ["crm",     "editor", "write:crm"],
  "POST /v1/orders/bulk":                    ["crm",     "editor", "write:crm_bulk"],
  "GET /v1/orders":                          ["crm",     "viewer", "read:crm"],
  "GET /v1/orders/statistics":               ["crm",     "viewer", "read:crm"],
  "GET /v1/orders/export":                   ["crm",     "viewer", "read:crm"],
  "GET /v1/orders/events":                   ["crm",     "viewer", "read:crm"],
  "GET /v1/orders/:id":                      ["crm",     "viewer", "read:crm"],
  "PATCH /v1/orders/:id":                    ["crm",     "editor", "write:crm"],
  "PATCH /v1/orders/:id/shipments/:shipmentId": ["crm",  "editor", "write:crm"],
  "GET /v1/orders/:id/payments":             ["crm",     "viewer", "read:crm"],
  "GET /v1/orders/:id/timeline":             ["crm",     "viewer", "read:crm"],
  "POST /v1/orders/:id/payments":            ["crm",     "editor", "write:crm"],
  "POST /v1/orders/:id/fulfill":             ["crm",     "editor", "write:crm"],
  "POST /v1/orders/:id/deliver":             ["crm",     "editor", "write:crm"],
  "POST /v1/orders/:id/cancel":              ["crm",     "editor", "write:crm"],
  "POST /v1/orders/:id/refund":              ["crm",     "editor", "write:crm"],
  "POST /v1/customers":                      ["crm",     "editor", "write:crm"],
  "GET /v1/customers":                       ["crm",     "viewer", "read:crm"],
  "GET /v1/customers/:id":                   ["crm",     "viewer", "read:crm"],
  "PUT /v1/customers/by-external-id/:externalId": ["crm", "editor", "write:crm"],
  "PATCH /v1/customers/:id":                 ["crm",     "editor", "write:crm"],
  "POST /v1/customers/:id/erasure":          ["crm",     "admin",  "-", "users only"],
  "GET /v1/erasures/:id":                    ["crm",     "viewer", "read:crm"],
  "POST /v1/redirects":                      ["content", "editor", "write:content"],
  "POST /v1/redirects/bulk":                 ["content", "editor", "write:content"],
  "GET /v1/redirects/export":                ["content", "viewer", "read:content"],
  "GET /v1/redirects":                       ["content", "viewer", "read:content"],
  "GET /v1/redirects/resolve":               ["content", "viewer", "read:content"],
  "GET /v1/redirects/:id":                   ["content", "viewer", "read:content"],
  "DELETE /v1/redirects/:id":                ["content", "editor", "write:content"],
  "GET /v1/customers/export":                ["crm",     "viewer", "read:crm"],
  "GET /v1/customers/events":                ["crm",     "viewer", "read:crm"],
  "GET /v1/content/events":                  ["content", "viewer", "read:content"],
  "PUT /v1/content-types/:slug":                ["content", "admin",  "write:content"],
  "GET /v1/content-types":                      ["content", "viewer", "read:content"],
  "GET /v1/content-types/:slug":                ["content", "viewer", "read:content"],
  "POST /v1/entries":                           ["content", "editor", "write:content"],
  "GET /v1/entries/export":                     ["content", "viewer", "read:content"],
  "GET /v1/entries":                            ["content", "viewer", "read:content"],
  "GET /v1/entries/:id":                        ["content", "viewer", "read:content"],
  "PATCH /v1/entries/:id":                      ["content", "editor", "write:content"],
  "DELETE /v1/entries/:id":                     ["content", "editor", "write:content"],
  "POST /v1/entries/:id/publish":               ["content", "editor", "write:content"],
  "POST /v1/entries/:id/schedule":              ["content", "editor", "write:content"],
  "DELETE /v1/entries/:id/schedule":            ["content", "editor", "write:content"],
  "POST /v1/entries/:id/unpublish":             ["content", "editor", "write:content"],
  "GET /v1/entries/:id/revisions":              ["content", "viewer", "read:content"],
  "POST /v1/entries/:id/revisions/:n/restore":  ["content", "editor", "write:content"],
  "POST /v1/media":                          ["content", "editor", "write:content"],
  "GET /v1/media":                           ["content", "viewer", "read:content"],
  "GET /v1/media/:id":                       ["content", "viewer", "read:content"],
  "PATCH /v1/media/:id":                     ["content", "editor", "write:content"],
  "GET /v1/media/:id/file":                  ["content", "viewer", "read:content"],
  "POST /v1/media/:id/links":                ["content", "editor", "read:content"],
  "DELETE /v1/media/:id/links":              ["content", "editor", "write:content"],
  "GET /v1/media/:id/links/file":            ["-",       "anyone", "-"],
  "DELETE /v1/media/:id":                    ["content", "editor", "write:content"],
  "POST /v1/webhooks/subscriptions":         ["-",       "admin",  "-"],
  "GET /v1/webhooks/subscriptions":          ["content", "viewer", "read:content"],
  "GET /v1/webhooks/subscriptions/:id":      ["content", "viewer", "read:content"],
  "PATCH /v1/webhooks/subscriptions/:id":    ["-",       "admin",  "-"],
  "DELETE /v1/webhooks/subscriptions/:id":   ["-",       "admin",  "-"],
  "POST /v1/webhooks/subscriptions/:id/rotate-secret": ["-", "admin", "-"],
  "POST /v1/webhooks/subscriptions/:id/test":          ["-", "admin", "-"],
  "POST /v1/webhooks/subscriptions/:id/retry-waiting": ["-", "admin", "-"],
  "POST /v1/webhooks/subscriptions/filter-preview": ["content", "viewer", "read:content"],
  "POST /v1/webhooks/subscriptions/:id/recover":       ["-", "admin", "-"],
  "POST /v1/webhooks/subscriptions/:id/replays":       ["-", "admin", "-"],
  "GET /v1/webhooks/subscriptions/:id/replays": ["content", "viewer", "read:content"],
  "GET /v1/webhooks/replays/:id":            ["content", "viewer", "read:content"],
  "DELETE /v1/webhooks/replays/:id":         ["-",       "admin",  "-"],
  "GET /v1/webhooks/statistics":             ["content", "viewer", "read:content"],
  "GET /v1/webhooks/ledger":                 ["content", "viewer", "read:content"],
  "GET /v1/webhooks/ledger/deliveries":      ["content", "viewer", "read:content"],
  "GET /v1/notices":                         ["content", "viewer", "read:content"],
  "POST /v1/notices/:id/acknowledge":        ["-",       "editor", "-", "users only"],
  "GET /v1/notices/destination":             ["-",       "admin",  "-"],
  "PUT /v1/notices/destination":             ["-",       "admin",  "-"],
  "DELETE /v1/notices/destination":          ["-",       "admin",  "-"],
  "GET /v1/webhooks/event-types":            ["content", "viewer", "read:content"],
  "GET /v1/webhooks/recoveries/:id":         ["content", "viewer", "read:content"],
  "GET /v1/webhooks/events":                 ["content", "viewer", "read:content"],
  "GET /v1/webhooks/events/:id":             ["content", "viewer", "read:content"],
  "POST /v1/webhooks/deliveries/:id/redeliver":        ["-", "admin", "-"],
  "GET /v1/webhooks/deliveries":             ["content", "viewer", "read:content"],
  "GET /v1/webhooks/deliveries/:id":         ["content", "viewer", "read:content"],
  "POST /v1/webhooks/listeners":             ["content", "editor", "write:content"],
  "GET /v1/webhooks/listeners":              ["content", "viewer", "read:content"],
  "GET /v1/webhooks/listeners/:id":          ["content", "viewer", "read:content"],
  "DELETE /v1/webhooks/listeners/:id":       ["-",       "editor", "write:content"],
  "POST /v1/webhooks/listeners/:id/lease":   ["content", "editor", "write:content"],
  "POST /v1/webhooks/listeners/:id/deliveries/:deliveryId/result":    ["-", "editor", "write:content"],
  "POST /v1/webhooks/listeners/:id/deliveries/:deliveryId/redeliver": ["content", "editor", "write:content"],
};

// The route needs the cookie, which no caller in this table sends.
const COOKIE_ROUTE = "POST /v1/auth/refresh";

interface Caller {
  readonly name: string;
  readonly headers: Record<string, string>;
  /** Null if the caller is unknown. */
  readonly identity: {
    role: Role;
    scopes: readonly string[] | "not bound";
    modules: readonly string[];
  } | null;
}

const ALL_MODULES = ["crm", "content"];

const platform = await sharedPlatform();
const tenant = await platform.createTenant();
const callers: Caller[] = [
  ...strangers(),
  ...(await keysOf(tenant, platform.url)),
  ...(await staffOf(tenant, platform.url)),
  ...(await callersWithout(platform, "crm")),
  ...(await callersWithout(platform, "content")),
];

describe("the access matrix", () => {
  test("has a row for every route, and a route for every row", () => {
    const routes = routeTable.map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  test.each(Object.entries(EXPECTED))("%s", async (route, row) => {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(":id", randomUUID()).replace(":name", "no-such-module");
    const responses = await Promise.all(
      callers.map(async ({ name, headers, identity }) => {
        // The handler of the cookie's route reads the cookie, after the body.
        const hasBody = method !== "GET" && method !== "DELETE" && route !== COOKIE_ROUTE;
        const { status, body } = await apiClient(platform.url, headers).send(method, path, {
          ...(hasBody && { headers: { "content-type": "application/json" }, body: "[]" }),
        });
        const isRefused = status === 401 || status === 403;
        const expected = route === COOKIE_ROUTE ? "401 unauthorized" : expectedFor(row, identity);
        return [name, isRefused ? `${status} ${body.error.code}` : "allowed", expected] as const;
      }),
    );
    expect(responses.map(([name, got]) => [name, got])).toEqual(
      responses.map(([name, , expected]) => [name, expected]),
    );
  });
});

/** Returns the expected status by the order of checks (interface §1): 401, then module, kind of caller, role, scope. */
function expectedFor([module, role, scope, usersOnly]: Row, identity: Caller["identity"]): string {
  if (role === "anyone") return "allowed";
  if (identity === null) return "401 unauthorized";
  if (module !== "-" && !identity.modules.includes(module)) return "403 module_disabled";
  if (usersOnly && identity.scopes !== "not bound") return "403 forbidden";
  if (roles.indexOf(identity.role) < roles.indexOf(role)) return "403 forbidden";
  if (scope === "-" || identity.scopes === "not bound") return "allowed";
  const hasOne = scope.split(" or ").some((accepted) => identity.scopes.includes(accepted));
  return hasOne ? "allowed" : "403 forbidden";
}

function strangers(): Caller[] {
  const malformed = ["nonsense", "sk_live_short", `sk_live_${"a".repeat(12)}_${"b".repeat(43)}`, "a.b.c"];
  return [
    { name: "nobody", headers: {}, identity: null },
    ...malformed.map((token) => ({ name: `"${token}"`, headers: bearer(token), identity: null })),
  ];
}

async function keysOf(tenant: TestTenant, url: string): Promise<Caller[]> {
  const make = async (label: string, granted: readonly string[], expiresAt?: string) => {
    const { body } = await tenant.owner.post("/v1/api-keys", { label, scopes: granted, expiresAt });
    return body.data as { id: string; key: string };
  };
  const sets = [...scopes.map((scope) => [scope]), [...scopes], []];
  const live = await Promise.all(
    sets.map(async (granted) => {
      const { key } = await make("matrix", granted);
      const identity = { role: "editor" as const, scopes: granted, modules: ALL_MODULES };
      return { name: `a key with ${granted.join("+") || "no scope"}`, headers: bearer(key), identity };
    }),
  );
  const revoked = await make("revoked", scopes);
  await tenant.owner.delete(`/v1/api-keys/${revoked.id}`);
  const expired = await make("expired", scopes, new Date(Date.now() + EXPIRES_AFTER_MS).toISOString());
  const asExpired = apiClient(url, bearer(expired.key));
  await until("the expiry", async () => (await asExpired.get("/v1/me")).status === 401);
  return [
    ...live,
    { name: "a revoked key", headers: bearer(revoked.key), identity: null },
    { name: "an expired key", headers: bearer(expired.key), identity: null },
  ];
}

/** Creates the users one after another, because a tenant may have only one password hash in the queue at a time. */
async function staffOf(tenant: TestTenant, url: string): Promise<Caller[]> {
  const staff: Caller[] = [];
  for (const role of roles) {
    const credentials = { email: `${role}-${randomUUID()}@example.com`, password: "correct horse battery" };
    expect((await tenant.owner.post("/v1/users", { ...credentials, name: role, role })).status).toBe(201);
    const login = await apiClient(url).post("/v1/auth/login", credentials);
    const identity = { role, scopes: "not bound" as const, modules: ALL_MODULES };
    staff.push({ name: `the ${role}`, headers: bearer(login.body.data.token), identity });
  }
  return staff;
}

/** Returns the owner and a key of another tenant, in which one module is inactive. */
async function callersWithout(platform: SharedPlatform, module: "crm" | "content"): Promise<Caller[]> {
  const tenant = await platform.createTenant();
  await tenant.owner.put(`/v1/modules/${module}`, { active: false });
  const modules = ALL_MODULES.filter((name) => name !== module);
  const owner = { role: "owner", scopes: "not bound", modules } as const;
  const key = { role: "editor", scopes, modules } as const;
  return [
    { name: `an owner without ${module}`, headers: bearer(tenant.ownerToken), identity: owner },
    { name: `a key without ${module}`, headers: bearer(tenant.apiKey), identity: key },
  ];
}
