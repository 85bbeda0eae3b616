// Pages of other origins may use the API with a bearer credential, and never with a cookie.
import { apiClient, bearer } from "@tradepost/testing";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const ORIGIN = "https://shop.example";

const upstream = await useRecordingUpstream();
const gateway = await useGateway({ ORDERS_URL: upstream.url });
const tenant = await gateway.createTenant();

const preflight = (path: string, method: string, headers: string) =>
  gateway.anyone.send("OPTIONS", path, {
    headers: {
      origin: ORIGIN,
      "access-control-request-method": method,
      "access-control-request-headers": headers,
    },
  });

describe("a preflight request", () => {
  const open = ["/v1/orders", "/v1/me", "/v1/openapi.json", "/v1/nothing", "/v1/orders/x?y=z"];
  test.each(open)("of %s is allowed to every origin without a credential, by the gateway", async (path) => {
    const before = upstream.recorded.length;
    const response = await preflight(path, "PATCH", "authorization,content-type");
    expect([response.status, response.text]).toEqual([204, ""]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers":
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id",
      "access-control-max-age": "7200",
    });
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("x-request-id")).not.toBeNull();
    expect(upstream.recorded).toHaveLength(before);
  });

  const closed = ["/v1/auth/login", "/v1/auth/refresh", "/v1/auth/logout", "/v1/auth/setup"];
  test.each([...closed, "/docs", "/healthz"])("of %s is not allowed", async (path) => {
    const response = await preflight(path, "POST", "content-type");
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("is told apart from an OPTIONS request of a program, which is 405", async () => {
    const response = await tenant.owner.send("OPTIONS", "/v1/me", { headers: { origin: ORIGIN } });
    expect(response.status).toBe(405);
  });
});

describe("a response to a page of another origin", () => {
  const EXPOSED =
    "Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, RateLimit, " +
    "RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, " +
    "X-Request-Id";
  const from = (origin: string, url = gateway.url) => apiClient(url, { ...bearer(tenant.token), origin });

  test.each([
    ["a success", 200, () => from(ORIGIN).get("/v1/me")],
    ["a success of a sandboxed page", 200, () => from("null").get("/v1/me")],
    ["the API description", 200, () => from(ORIGIN).get("/v1/openapi.json")],
    ["a forwarded response", 200, () => from(ORIGIN).get("/v1/orders")],
    ["401", 401, () => gateway.anyone.get("/v1/orders", { origin: ORIGIN })],
    ["404", 404, () => from(ORIGIN).get("/v1/nothing")],
    ["404 for a path that cannot be decoded", 404, () => from(ORIGIN).get("/v1/me/sessions/%zz")],
    ["405", 405, () => from(ORIGIN).delete("/v1/me")],
    ["400", 400, () => from(ORIGIN).send("POST", "/v1/api-keys", { headers: json, body: "{" })],
    ["422", 422, () => from(ORIGIN).get("/v1/me?x=1")],
    ["503 while a service is away", 503, () => from(ORIGIN).get("/v1/entries")],
  ])("can be read: %s", async (_what, status, send) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("access-control-expose-headers")).toBe(EXPOSED);
  });

  test("can be read beyond a limit", async () => {
    const { url } = await gateway.startReplica({ RATE_LIMIT_PER_SECOND: "1" });
    const { get } = from(ORIGIN, url);
    const responses = await Promise.all(Array.from({ length: 10 }, () => get("/v1/me")));
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited).not.toEqual([]);
    for (const { headers } of limited) expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a service's own headers of this kind are not passed on", async () => {
    upstream.respondWith((res) =>
      res
        .setHeader("access-control-allow-origin", "https://evil.example")
        .setHeader("access-control-allow-credentials", "true")
        .end("{}"),
    );
    const { headers } = await from(ORIGIN).get("/v1/orders");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  test.each(["login", "refresh", "logout", "setup"])("cannot be read: /v1/auth/%s", async (route) => {
    const response = await gateway.anyone.post(`/v1/auth/${route}`, {}, { origin: ORIGIN });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("the refresh cookie", () => {
  const post = (route: string, cookie: string, site: string) =>
    gateway.anyone.post(`/v1/auth/${route}`, undefined, { cookie, "sec-fetch-site": site });

  test.each(["same-site", "cross-site"])("is ignored in a request of a page that is %s", async (site) => {
    const { cookie } = await gateway.signIn(tenant.email, tenant.password);
    const refused = await post("refresh", cookie, site);
    expect(refused.status).toBe(401);
    // The page must not sign the user out either.
    expect(refused.headers.get("set-cookie")).toBeNull();
    const out = await post("logout", cookie, site);
    expect([out.status, out.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await post("refresh", cookie, "same-origin")).status).toBe(200);
  });
});

const json = { "content-type": "application/json" };
