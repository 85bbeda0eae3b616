// The CPU time of a request grows at most linearly with its length, whatever its content. Each test sends requests of two sizes
// to a service and compares their times in one run. Each service tests its own bodies without HTTP.
import { type ApiClient, apiClient, growthOf, LINEAR_GROWTH_MAX, repeated } from "@tradepost/testing";
import { sharedPlatform } from "../support/test-platform.ts";

const KIB = 1024;
// About the fixed cost of a request, in ms. Shorter times are noise.
const FLOOR_MS = 10;
const BODY = { min: 32 * KIB, max: 256 * KIB, floorMs: FLOOR_MS } as const;
// The request line and the headers together may have 16 KiB. Most of the cost of a small request does not depend on them, so even
// a linear cost is hardly visible.
const HEAD_GROWTH_MAX = 5;
const HEAD = { min: 1.5 * KIB, max: 12 * KIB, floorMs: FLOOR_MS, bound: HEAD_GROWTH_MAX } as const;
// Heads are small, so one measurement takes several requests.
const REQUESTS_PER_MEASUREMENT = 5;

const JSON_TEXTS: [string, (size: number) => string][] = [
  ["zeros within a number", (size) => repeated(size, { start: "1.", piece: "0", end: "1" })],
  [
    "numbers of 20 digits",
    (size) => repeated(size, { start: "[", piece: "12345678901234567890,", end: "1]" }),
  ],
  ["numbers with exponents", (size) => repeated(size, { start: "[", piece: "1e5,", end: "1]" })],
  ["escapes", (size) => repeated(size, { start: '"', piece: '\\u0041\\"', end: '"' })],
  [
    "characters that Postgres refuses",
    (size) => repeated(size, { start: "[", piece: '"\\u0000",', end: "1]" }),
  ],
  ["nested lists", (size) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}`],
  ["nested objects", (size) => `${'{"a":'.repeat(size / 6)}1e5${"}".repeat(size / 6)}`],
  ["many names", (size) => `{${Array.from({ length: size / 10 }, (_, i) => `"k${i}":1e5`).join()}}`],
  ["a name of objects", (size) => repeated(size, { start: "{", piece: '"__proto__":{},', end: '"a":1}' })],
];

const platform = await sharedPlatform();
const tenant = await platform.createTenant();
const fields = [{ key: "any", type: "json", required: false }];
await tenant.owner.put("/v1/content-types/thing", { name: "Thing", fields });

describe("the cost of a request is linear", () => {
  /** Sends a request. Throws if the response is a 5xx. */
  const send = async (
    client: ApiClient,
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) => {
    const { status, text } = await client.send(method, path, {
      headers,
      ...(body !== undefined && { body }),
    });
    if (status >= 500) throw new Error(`${method} ${path.slice(0, 100)}: ${status} ${text.slice(0, 200)}`);
  };
  const asJson = { "content-type": "application/json" };

  test.each<[string, string, string, (json: string) => string]>([
    ["an anonymous sign-in", "POST", "/v1/auth/login", (json) => `{"email":${json},"password":${json}}`],
    [
      "an API key",
      "POST",
      "/v1/api-keys",
      (json) => `{"label":${json},"scopes":${json},"expiresAt":${json}}`,
    ],
    ["a member of staff", "POST", "/v1/users", (json) => `{"email":${json},"name":${json},"role":${json}}`],
    ["an entry", "POST", "/v1/entries", (json) => `{"type":"thing","slug":${json},"data":{"any":${json}}}`],
  ])("for the body of %s", async (_what, method, path, bodyOf) => {
    for (const [what, textOf] of JSON_TEXTS) {
      let count = 0;
      const growth = await growthOf(BODY, (size) => {
        const body = bodyOf(textOf(size / 2));
        return () => {
          count += 1;
          const key = { "idempotency-key": `${path}.${what.length}.${size}.${count}`.replaceAll("/", "") };
          return send(tenant.owner, method, path, { ...asJson, ...key }, body);
        };
      });
      expect([what, growth < LINEAR_GROWTH_MAX || growth]).toEqual([what, true]);
    }
  });

  test.each<[string, { start?: string; piece: string; end?: string }]>([
    ["authorization", { start: "Bearer ", piece: "a." }],
    ["authorization", { start: "Bearer sk_live_", piece: "_" }],
    ["authorization", { start: "Bearer eyJhbGciOiJIUzI1NiJ9.", piece: "e30", end: ".a" }],
    ["cookie", { piece: "; tradepost_refresh=00000000-" }],
    ["cookie", { start: ";", piece: "  ", end: ";" }],
    ["x-forwarded-for", { piece: ", " }],
    ["x-request-id", { piece: "a", end: "!" }],
    ["traceparent", { start: "00-", piece: "0" }],
    ["content-type", { start: "application/json;", piece: " ", end: "charset" }],
    ["idempotency-key", { piece: "a" }],
    ["if-match", { piece: '"1", ' }],
    ["if-none-match", { piece: '"a",' }],
    ["range", { start: "bytes=0-1", piece: ",1-2" }],
  ])("for the header %s: %j", async (name, shape) => {
    const id = "01900000-0000-7000-8000-000000000000";
    const growth = await growthOf(HEAD, (size) => {
      const headers = { ...asJson, [name]: repeated(size, shape) };
      const client = name === "authorization" ? apiClient(platform.url) : tenant.owner;
      return async () => {
        for (let count = 0; count < REQUESTS_PER_MEASUREMENT; count += 1) {
          await send(client, "POST", "/v1/auth/refresh", headers, "{}");
          await send(client, "POST", `/v1/orders/${id}/cancel`, headers, "{}");
          await send(client, "GET", `/v1/media/${id}/file`, headers);
        }
      };
    });
    expect(growth).toBeLessThan(HEAD_GROWTH_MAX);
  });

  const names = (size: number) =>
    Array.from({ length: size / 4 }, (_, index) => (1_000 + index).toString(36)).join("&");
  test.each<[string, string, (size: number) => string]>([
    ["many names", "/v1/orders?", names],
    ["a repeated name", "/v1/customers?", (size) => repeated(size, { piece: "a&" })],
    ["a cursor", "/v1/entries?cursor=", (size) => repeated(size, { piece: "MjAyNi0" })],
    ["a long filter", "/v1/webhooks/deliveries?type=", (size) => repeated(size, { piece: "%C3%A4" })],
    ["a path to resolve", "/v1/redirects/resolve?path=", (size) => repeated(size, { piece: "/" })],
    ["a long path", "/v1/orders/", (size) => repeated(size, { piece: "%41" })],
    ["a path of many segments", "/v1/", (size) => repeated(size, { piece: "/orders" })],
  ])("for the URL: %s", async (_what, start, rest) => {
    const growth = await growthOf(HEAD, (size) => {
      const path = start + rest(size);
      return async () => {
        for (let count = 0; count < REQUESTS_PER_MEASUREMENT; count += 1)
          await send(tenant.owner, "GET", path, {});
      };
    });
    expect(growth).toBeLessThan(HEAD_GROWTH_MAX);
  });

  test("for the head of a multipart part", async () => {
    const shapes = [
      { start: 'form-data; name="file"; filename="', piece: "a/", end: '"' },
      { start: "form-data; name=file; filename*=utf-8''", piece: "%41" },
      { start: "form-data", piece: "; a=b" },
      { start: 'form-data; name="', piece: '\\"', end: '"' },
    ];
    for (const shape of shapes) {
      const growth = await growthOf({ ...BODY, min: 8 * KIB, max: 64 * KIB }, (size) => {
        const part = `Content-Disposition: ${repeated(size, shape)}\r\nContent-Type: ${repeated(size, { start: "a/b", piece: "; c=d" })}`;
        const body = `--x\r\n${part}\r\n\r\nhello\r\n--x--\r\n`;
        const headers = { "content-type": "multipart/form-data; boundary=x" };
        return () => send(tenant.owner, "POST", "/v1/media", headers, body);
      });
      expect([shape, growth < LINEAR_GROWTH_MAX || growth]).toEqual([shape, true]);
    }
  });
});
