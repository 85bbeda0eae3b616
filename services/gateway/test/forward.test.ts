// Forwarding, as the service sees it: only the listed headers, an identity that cannot be forged, and the exact path and
// body. In the response, only the listed headers and the exact body.
import { apiClient, rawRequest } from "@tradepost/testing";
import { json, useRecordingUpstream } from "./support/recording-upstream.ts";
import { outcome, principalOf, useGateway } from "./support/test-gateway.ts";

const IDENTITY = [
  "x-tenant-id",
  "x-role",
  "x-actor-type",
  "x-actor-id",
  "x-actor-name",
  "x-scopes",
  "x-modules",
  "x-request-id",
  "traceparent",
  "x-client",
  "x-body-sha256",
  "x-gateway-signature",
];

const upstream = await useRecordingUpstream();
const { ORDERS_URL, WEBHOOKS_URL } = upstream.settings;
const gateway = await useGateway({ ORDERS_URL, WEBHOOKS_URL, METRICS_PORT: "0" });
const tenant = await gateway.createTenant();
const label = "Käse\u2009✓ 100%";
const key = await gateway.createKey(tenant, ["read:crm", "write:crm"], { label });

describe("forwarding", () => {
  beforeEach(() => {
    upstream.recorded.length = 0;
    upstream.respondWith((res) => res.end("{}"));
  });

  const growthOf = async (series: readonly string[], work: () => Promise<unknown>) => {
    const before = await gateway.metrics();
    await work();
    const after = await gateway.metrics();
    return series.map((one) => (after(one) ?? 0) - (before(one) ?? 0));
  };
  const requestsOf = (route: string, status: number) => [
    `http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`,
  ];
  const arrived = () => {
    const [first, ...others] = upstream.recorded;
    if (first === undefined || others.length > 0)
      throw new Error(`${upstream.recorded.length} requests arrived`);
    return first;
  };
  const identified = async (secret?: string) => await principalOf(arrived().req, secret);
  /** The values of all headers with this name, in any case, as they were sent. */
  const rawValuesOf = (name: string) => {
    const { rawHeaders } = arrived().req;
    return rawHeaders.filter(
      (_value, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1,
    );
  };

  test("passes on only the listed headers, in addition to the identity", async () => {
    const listed = {
      accept: "application/json",
      "content-type": "application/json",
      "content-encoding": "gzip",
      "idempotency-key": "abc-1",
      "if-match": '"3"',
      "if-none-match": '"4"',
      range: "bytes=0-9",
      "if-range": '"5"',
    };
    await key.client.send("POST", "/v1/orders", {
      headers: {
        ...listed,
        cookie: "tradepost_refresh=1",
        "x-forwarded-for": "10.0.0.1",
        forwarded: "for=x",
        te: "trailers",
      },
      body: "{}",
    });
    const { headers } = arrived().req;
    expect(headers).toMatchObject(listed);
    const transport = ["host", "connection", "content-length"];
    expect(Object.keys(headers).sort()).toEqual([...Object.keys(listed), ...IDENTITY, ...transport].sort());
  });

  test.each<[string, string[]]>([
    [
      "as they are",
      ["x-tenant-id: T", "x-role: owner", "x-scopes: all", "x-modules: crm", "x-actor-type: user"],
    ],
    ["in another case", ["X-TENANT-ID: T", "X-Role: owner", "X-Actor-Id: T", "X-Actor-Name: root"]],
    ["with underscores", ["X_Tenant_Id: T", "x_role: owner", "X_Gateway_Signature: t=1,v1=00"]],
    ["twice", ["x-tenant-id: T", "x-tenant-id: U"]],
    [
      "named in Connection",
      ["x-tenant-id: T", "Connection: close, x-tenant-id, x-role, x-gateway-signature"],
    ],
    ["with a signature", [`x-gateway-signature: t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`]],
  ])("drops identity headers that a client sends %s", async (_how, forged) => {
    const response = await rawRequest(gateway.url, "GET /v1/orders", [
      `Authorization: Bearer ${key.key}`,
      ...forged,
    ]);
    expect(response.status).toBe(200);
    for (const name of IDENTITY) expect(rawValuesOf(name)).toHaveLength(1);
    const unlisted = Object.keys(arrived().req.headers).filter((name) => /_|tenant/.test(name));
    expect(unlisted).toEqual(["x-tenant-id"]);
    const { tenantId } = tenant;
    expect(await identified()).toMatchObject({ tenantId, role: "editor", actor: { id: key.id } });
  });

  test("signs the caller, verifiable with the shared secret only", async () => {
    await key.client.get("/v1/customers?limit=5&x=%2F");
    expect(arrived().req.headers["x-gateway-signature"]).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(await identified()).toEqual({
      tenantId: tenant.tenantId,
      role: "editor",
      actor: { type: "api_key", id: key.id, name: "Käse\u2009✓ 100%" },
      client: { ip: "127.0.0.1", userAgent: "node" },
      scopes: ["read:crm", "write:crm"],
      modules: ["content", "crm"],
    });
    await expect(identified("another secret, that no service shares")).rejects.toThrow();
  });

  test("passes on a user's role, no scopes, and which e-mails for notices active users have confirmed", async () => {
    const [{ email }] = (await tenant.owner.get("/v1/users")).body.data;
    const invited = `invited-${tenant.tenantId}@shop.example`;
    await tenant.owner.post("/v1/users", { email: invited, name: "Invited", role: "viewer" });
    const emails = ["stranger@other.example", email.toUpperCase(), invited];
    await tenant.owner.put("/v1/notices/destination", { emails });
    const { confirmedEmails, modules, role, actor, scopes } = await identified();
    expect([confirmedEmails, modules]).toEqual([[email], ["content", "crm"]]);
    expect([role, actor.type, actor.id, scopes]).toEqual(["owner", "user", tenant.ownerId, []]);
  });

  test("passes on method, path, query and body unchanged", async () => {
    const body = Buffer.from('{"a": 12345678901234567890, "b":\t"\\u00e9é"}');
    await key.client.send("PATCH", "/v1/customers/%41%2F%20b?q=%C3%A9&q=2&&=", {
      headers: { "content-type": "application/json" },
      body,
    });
    const { req, body: received } = arrived();
    expect([req.method, req.url]).toEqual(["PATCH", "/v1/customers/%41%2F%20b?q=%C3%A9&q=2&&="]);
    expect(received).toEqual(body);
  });

  test("passes on a target in absolute form as its path", async () => {
    const growth = await growthOf(requestsOf("forwarded", 200), async () => {
      const response = await rawRequest(gateway.url, "GET HTTP://shop.example/v1/orders?limit=1", [
        `Authorization: Bearer ${key.key}`,
      ]);
      expect([response.status, arrived().req.url]).toEqual([200, "/v1/orders?limit=1"]);
    });
    expect(growth).toEqual([1]);
  });

  test.each([
    ["two blanks", (token: string) => [`Authorization: Bearer  ${token}`], 200],
    ["another case", (token: string) => [`authorization: bEARER ${token}`], 200],
    ["two headers", (token: string) => Array(2).fill(`Authorization: Bearer ${token}`), 401],
    ["an empty second header", (token: string) => [`Authorization: Bearer ${token}`, "authorization:"], 401],
    ["no blank", (token: string) => [`Authorization: Bearer${token}`], 401],
    ["no header", () => [], 401],
    ["an unknown key", () => [`Authorization: Bearer sk_live_${"0".repeat(12)}_${"0".repeat(43)}`], 401],
  ])("reads a credential with %s, and a refused one reaches no service", async (_what, lines, status) => {
    expect((await rawRequest(gateway.url, "GET /v1/orders", lines(key.key))).status).toBe(status);
    expect(upstream.recorded).toHaveLength(status === 200 ? 1 : 0);
  });

  const ofFile = {
    "content-type": "text/csv",
    "content-length": "5",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
    "accept-ranges": "bytes",
    "content-range": "bytes 0-1/9",
    "content-disposition": "attachment",
  };
  test.each<[string, number, Record<string, string>]>([
    ["HEAD", 206, ofFile],
    ["HEAD", 200, { "content-type": "text/csv" }],
    ["GET", 304, { etag: '"x"' }],
  ])("responds to %s with %i and %j, and with no other length", async (method, status, headers) => {
    upstream.respondWith((res) => res.writeHead(status, headers).end());
    const response = await key.client.send(method, "/v1/orders/export");
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(response.headers.get("content-length")).toBe(headers["content-length"] ?? null);
  });

  test("passes on the request id in both directions, and continues the trace", async () => {
    const response = await key.client.get("/v1/orders", {
      "x-request-id": "mine-1",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    });
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    expect(arrived().req.headers["x-request-id"]).toBe("mine-1");
    expect(arrived().req.headers.traceparent).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/,
    );
  });

  test("counts a request under the service's route, and under a constant if no service names one", async () => {
    const counted = async (path: string, route: string, status: number) =>
      (await growthOf(requestsOf(route, status), () => key.client.get(path)))[0];
    const naming = (route?: string) =>
      upstream.respondWith((res) =>
        res.writeHead(200, route === undefined ? {} : { "x-route": route }).end("{}"),
      );
    naming("/v1/orders/:id/payments");
    expect(await counted("/v1/orders/1/payments", "/v1/orders/:id/payments", 200)).toBe(1);
    naming();
    expect(await counted("/v1/orders/1", "forwarded", 200)).toBe(1);
    naming("no pattern");
    expect(await counted("/v1/orders/1", "forwarded", 200)).toBe(1);
    expect(await counted("/v1/redirects", "forwarded", 503)).toBe(1);
    expect(await counted("/v1/nothing", "unrouted", 404)).toBe(1);
    expect(await counted("/v1/me", "/v1/me", 200)).toBe(1);
  });

  test("counts refused credentials by reason", async () => {
    const [id, secret = ""] = key.key.split(/_(?=[^_]+$)/);
    const send = (authorization?: string) =>
      apiClient(gateway.url, authorization === undefined ? {} : { authorization }).get("/v1/me");
    const ended = await gateway.createKey(tenant);
    await tenant.owner.delete(`/v1/api-keys/${ended.id}`);
    const reasons = ["missing", "malformed", "api_key", "api_key_ended", "token", "refresh", "password"];
    const series = reasons.map((reason) => `auth_failures_total{reason="${reason}"}`);
    const growth = await growthOf(series, async () => {
      await send();
      await send("Basic x");
      await send(`Bearer ${id}_${[...secret].reverse().join("")}`);
      await send(`Bearer ${ended.key}`);
      await send("Bearer a.b.c");
      await gateway.anyone.post("/v1/auth/refresh");
      await gateway.signIn(tenant.email, "wrong-password-1");
    });
    expect(growth).toEqual(reasons.map(() => 1));
  });

  test("returns the response byte for byte, with its status and only the listed headers", async () => {
    const text = '{"success":true, "data":{"n":12345678901234567890}}';
    const listed = {
      etag: '"7"',
      location: "/v1/orders/1",
      "cache-control": "no-store",
      "idempotent-replayed": "true",
    };
    upstream.respondWith((res) =>
      res
        .writeHead(409, {
          ...listed,
          "content-type": "application/json",
          "set-cookie": "a=b",
          server: "x",
          "x-route": "/v1/orders",
          "x-inner": "y",
        })
        .end(text),
    );
    const response = await key.client.get("/v1/orders");
    expect(response.status).toBe(409);
    expect(response.text).toBe(text);
    expect(Object.fromEntries(response.headers)).toMatchObject(listed);
    for (const name of ["set-cookie", "server", "x-inner", "x-powered-by", "x-route"]) {
      expect(response.headers.get(name)).toBeNull();
    }
  });

  test("compresses the JSON of a service for clients that accept it, and keeps its ETag", async () => {
    const text = JSON.stringify({ success: true, data: "Mug ☕".repeat(1_000) });
    upstream.respondWith(json(text, 200, { etag: '"7"' }));
    const send = (accepted: string) => key.client.get("/v1/orders/1", { "accept-encoding": accepted });
    const [compressed, plain] = [await send("gzip"), await send("identity")];
    expect([compressed.text, plain.text]).toEqual([text, text]);
    expect(Object.fromEntries(compressed.headers)).toMatchObject({
      ...{ etag: '"7"', "content-encoding": "gzip", vary: "Accept-Encoding" },
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
  });

  test.each([
    ["GET /v1/nothing", "an unknown path"],
    ["GET /v1", "the base path"],
    ["GET /v1/", "the base path with a slash"],
    ["GET /v1/ordersx", "a longer name"],
    ["GET /v1/%6frders", "an encoded name"],
    ["GET //v1/orders", "an empty segment in front"],
    ["GET /v1//orders", "an empty segment in between"],
    ["GET /V1/orders", "another case"],
    ["GET /v1/__proto__", "a property of every object"],
    ["GET /v1/../v1/orders", "a parent segment"],
    ["GET ftp://elsewhere.example/v1/orders", "an absolute URL of another scheme"],
  ])("%s gives 404 and reaches no service: %s", async (requestLine) => {
    const response = await rawRequest(gateway.url, requestLine, [`Authorization: Bearer ${key.key}`]);
    expect(outcome(response)).toEqual([404, "not_found"]);
    expect(upstream.recorded).toHaveLength(0);
  });
});
