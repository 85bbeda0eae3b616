// What goes through the gateway, seen from the service behind it: only listed headers, a caller that nobody can forge,
// the exact path and bytes; and on the way back only listed headers around the exact answer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { identifyBySignature } from "@tradepost/http";
import { apiClient, bearer, rawRequest } from "@tradepost/testing";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import {
  GATEWAY_SECRET,
  startTestGateway,
  type TestGateway,
  type TestTenant,
} from "./support/test-gateway.ts";

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
  "x-gateway-signature",
];

describe("forwarding", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let tenant: TestTenant;
  let key: { id: string; key: string };

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({ ORDERS_URL: upstream.url });
    tenant = await gateway.createTenant();
    const label = "Käse\u2009✓ 100%";
    key = (await tenant.owner.post("/v1/api-keys", { label, scopes: ["read:crm", "write:crm"] })).body.data;
  });
  beforeEach(() => {
    upstream.recorded.length = 0;
    upstream.behave((res) => res.end("{}"));
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const arrived = () => {
    const [first, ...others] = upstream.recorded;
    if (first === undefined || others.length > 0)
      throw new Error(`${upstream.recorded.length} requests arrived`);
    return first;
  };
  /** Every header of one name, in whatever case, as it stood on the wire. */
  const onTheWire = (name: string) => {
    const { rawHeaders } = arrived().req;
    return rawHeaders.filter(
      (_value, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1,
    );
  };

  test("only the listed headers arrive, beside the identity", async () => {
    const listed = {
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": "abc-1",
      "if-match": '"3"',
      "if-none-match": '"4"',
      range: "bytes=0-9",
    };
    await apiClient(gateway.url, bearer(key.key)).send("POST", "/v1/orders", {
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
    ["in other letters", ["X-TENANT-ID: T", "X-Role: owner", "X-Actor-Id: T", "X-Actor-Name: root"]],
    ["with underscores", ["X_Tenant_Id: T", "x_role: owner", "X_Gateway_Signature: t=1,v1=00"]],
    ["twice", ["x-tenant-id: T", "x-tenant-id: U"]],
    [
      "named by Connection",
      ["x-tenant-id: T", "Connection: close, x-tenant-id, x-role, x-gateway-signature"],
    ],
    ["with a signature", [`x-gateway-signature: t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`]],
  ])("identity headers that a client sends %s never get through", async (_how, forged) => {
    const answer = await rawRequest(gateway.url, "GET /v1/orders", [
      `Authorization: Bearer ${key.key}`,
      ...forged,
    ]);
    expect(answer.status).toBe(200);
    for (const name of IDENTITY) expect(onTheWire(name)).toHaveLength(1);
    const unlisted = Object.keys(arrived().req.headers).filter((name) => /_|tenant/.test(name));
    expect(unlisted).toEqual(["x-tenant-id"]);
    const principal = await identifyBySignature(GATEWAY_SECRET)({
      req: arrived().req,
      responseHeaders: {},
      atEnd: () => undefined,
    });
    expect(principal).toMatchObject({ tenantId: tenant.tenantId, role: "editor", actor: { id: key.id } });
  });

  test("the signature names the caller, verifies with the shared secret, and with no other", async () => {
    await apiClient(gateway.url, bearer(key.key)).get("/v1/customers?limit=5&x=%2F");
    const { req } = arrived();
    expect(req.headers["x-gateway-signature"]).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(
      await identifyBySignature(GATEWAY_SECRET)({ req, responseHeaders: {}, atEnd: () => undefined }),
    ).toEqual({
      tenantId: tenant.tenantId,
      role: "editor",
      actor: { type: "api_key", id: key.id, name: "Käse\u2009✓ 100%" },
      scopes: ["read:crm", "write:crm"],
      modules: ["content", "crm"],
    });
    expect(() =>
      identifyBySignature(`${GATEWAY_SECRET}!`)({ req, responseHeaders: {}, atEnd: () => undefined }),
    ).toThrow();
  });

  test("a user arrives with the role that the database says and without scopes", async () => {
    await tenant.owner.get("/v1/orders");
    expect(
      await identifyBySignature(GATEWAY_SECRET)({
        req: arrived().req,
        responseHeaders: {},
        atEnd: () => undefined,
      }),
    ).toMatchObject({
      role: "owner",
      actor: { type: "user", id: tenant.ownerId },
      scopes: [],
    });
  });

  test("method, path, query and body arrive as they were sent", async () => {
    const body = Buffer.from('{"a": 12345678901234567890, "b":\t"\\u00e9é"}');
    await apiClient(gateway.url, bearer(key.key)).send("PATCH", "/v1/customers/%41%2F%20b?q=%C3%A9&q=2&&=", {
      headers: { "content-type": "application/json" },
      body,
    });
    const { req, body: received } = arrived();
    expect([req.method, req.url]).toEqual(["PATCH", "/v1/customers/%41%2F%20b?q=%C3%A9&q=2&&="]);
    expect(received).toEqual(body);
  });

  test("the request id goes to the service and back, and the trace goes on", async () => {
    const answer = await apiClient(gateway.url, bearer(key.key)).get("/v1/orders", {
      "x-request-id": "mine-1",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    });
    expect(answer.headers.get("x-request-id")).toBe("mine-1");
    expect(arrived().req.headers["x-request-id"]).toBe("mine-1");
    expect(arrived().req.headers.traceparent).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/,
    );
  });

  test("the answer comes back byte for byte, with its status and only the listed headers", async () => {
    const text = '{"success":true, "data":{"n":12345678901234567890}}';
    const listed = {
      etag: '"7"',
      location: "/v1/orders/1",
      "cache-control": "no-store",
      "idempotent-replayed": "true",
    };
    upstream.behave((res) =>
      res
        .writeHead(409, {
          ...listed,
          "content-type": "application/json",
          "set-cookie": "a=b",
          server: "x",
          "x-inner": "y",
        })
        .end(text),
    );
    const answer = await apiClient(gateway.url, bearer(key.key)).get("/v1/orders");
    expect(answer.status).toBe(409);
    expect(answer.text).toBe(text);
    expect(Object.fromEntries(answer.headers)).toMatchObject(listed);
    for (const name of ["set-cookie", "server", "x-inner", "x-powered-by"]) {
      expect(answer.headers.get(name)).toBeNull();
    }
  });

  test.each([
    ["GET /v1/nothing", "an unknown path"],
    ["GET /v1/ordersx", "a longer name"],
    ["GET /v1/%6frders", "an encoded name"],
    ["GET //v1/orders", "an empty part in front"],
    ["GET /v1//orders", "an empty part between"],
    ["GET /V1/orders", "other letters"],
    ["GET /v1/__proto__", "a name that every object has"],
    ["GET /v1/../v1/orders", "a way up"],
    ["GET http://elsewhere.example/v1/orders", "a whole URL"],
  ])("%s is 404 and reaches no service: %s", async (requestLine) => {
    const answer = await rawRequest(gateway.url, requestLine, [`Authorization: Bearer ${key.key}`]);
    expect([answer.status, answer.body.error?.code]).toEqual([404, "not_found"]);
    expect(upstream.recorded).toHaveLength(0);
  });

  test.each([
    ["no credential", [] as string[]],
    ["an unknown key", [`Authorization: Bearer sk_live_${"0".repeat(12)}_${"0".repeat(43)}`]],
  ])("a request with %s reaches no service", async (_what, headers) => {
    expect((await rawRequest(gateway.url, "GET /v1/orders", headers)).status).toBe(401);
    expect(upstream.recorded).toHaveLength(0);
  });
});
