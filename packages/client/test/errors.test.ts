// The content of errors, which never includes the credential.
import { inspect } from "node:util";
import { createClient, TradepostError } from "../src/index.ts";
import {
  failure,
  rejectionOf,
  reset,
  type Step,
  serveScript,
  silence,
  success,
} from "./support/scripted-server.ts";

const TOKEN = "sk_live_SECRET0123456789";
const ORDER = { customerId: "c", items: [{ sku: "A", name: "Mug" }] };

test("an error has the fields of the response", async () => {
  const exists = failure(409, {
    code: "order_exists",
    message: "the channel has an order with this externalId",
    requestId: "req-7",
    orderId: "0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f",
  });
  await using server = await serveScript(exists);
  const error = await rejectionOf(server.client.orders.place(ORDER, { idempotencyKey: "k-1" }));
  expect(error).toBeInstanceOf(TradepostError);
  expect({ ...(error as object) }).toEqual({
    name: "TradepostError",
    code: "order_exists",
    status: 409,
    requestId: "req-7",
    details: [],
    fields: { orderId: "0198c5b3-2f4a-7d21-8c5e-0a1b2c3d4e5f" },
    retryAfterSeconds: null,
    isRetryable: false,
    idempotencyKey: "k-1",
    operation: "placeOrder",
    tries: 1,
  });
  expect((error as Error).message).toBe(
    "POST /v1/orders: 409 order_exists: the channel has an order with this externalId (request req-7)",
  );
});

test("every field at fault is in the details", async () => {
  const details = [
    { path: "items[0].quantity", message: "must be at least 1" },
    { path: "customerId", message: "is required" },
  ];
  await using server = await serveScript(failure(422, { code: "validation_error", details }));
  await expect(server.client.orders.place(ORDER)).rejects.toMatchObject({
    code: "validation_error",
    details,
  });
});

test.each<[string, Step, number?]>([
  ["a refusal", failure(403, { code: "forbidden" })],
  ["a refusal that repeats the credential", echo],
  ["a refusal that repeats it escaped, as a value and as a name", escaped],
  ["a request id that is the credential", (res) => res.writeHead(403, { "x-request-id": TOKEN }).end("{}")],
  ["a page of HTML that repeats the credential", (res) => res.writeHead(502).end(`<p>${TOKEN}</p>`)],
  ["a reset", reset],
  ["no response", silence],
  ["not HTTP", (res) => res.socket?.end(`${TOKEN}\r\n\r\n`)],
  ["success that is not JSON", (res) => res.writeHead(200).end(TOKEN)],
  ["a redirect", (res) => res.writeHead(307, { location: `http://127.0.0.1:1/${TOKEN}` }).end()],
  ["a broken encoding", (res) => res.writeHead(200, { "content-encoding": "gzip" }).end(TOKEN)],
  ["a signal that aborts", silence, 50],
])(
  "after %s the error does not contain the credential, however it is printed",
  async (_, step, abortMs = 10_000) => {
    await using server = await serveScript(step);
    const client = server.clientWith({ apiKey: TOKEN, deadlineMs: 300 });
    const error = await rejectionOf(client.orders.place(ORDER, { signal: AbortSignal.timeout(abortMs) }));
    expect(error).toBeInstanceOf(TradepostError);
    expectNoCredential(error);
    expectNoCredential(client);
  },
);

test("an address that no server has, and a certificate that nobody signed, do not show it", async () => {
  for (const url of ["http://nowhere.invalid", "http://127.0.0.1:1"]) {
    const client = createClient({ url, apiKey: TOKEN, deadlineMs: 100 });
    const error = await rejectionOf(client.orders.get("o"));
    expect(error).toMatchObject({ code: expect.stringMatching(/connection_failed|timeout/), status: null });
    expectNoCredential(error);
  }
});

test.each([
  { url: "nonsense" },
  { url: "ftp://example.com" },
  { url: `http://${TOKEN}:x@example.com` },
  { url: "http://example.com", apiKey: `${TOKEN}\n` },
  { url: "http://example.com", apiKey: "" },
  { url: "http://example.com", apiKey: TOKEN, token: TOKEN },
  { url: "http://example.com", timeoutMs: 0 },
  { url: "http://example.com", deadlineMs: Number.NaN },
])("mistake %# in the options is a TypeError without the credential", (options) => {
  let thrown: unknown;
  try {
    createClient(options);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TypeError);
  expectNoCredential(thrown);
});

test("a function that never gives a token is waited for until the deadline, or until the signal aborts", async () => {
  await using server = await serveScript(success({ id: "o" }));
  const { orders } = createClient({ url: server.url, token: () => new Promise(() => undefined) });
  await expect(orders.get("o", { deadlineMs: 100 })).rejects.toMatchObject({ code: "timeout" });
  const signal = AbortSignal.timeout(50);
  await expect(orders.get("o", { signal })).rejects.toMatchObject({ code: "aborted" });
  expect(server.requests).toHaveLength(0);
});

test("what the function of a token throws rejects the request", async () => {
  const thrown = new Error("the vault is sealed");
  const client = createClient({ url: "http://127.0.0.1:1", token: () => Promise.reject(thrown) });
  await expect(client.orders.get("o")).rejects.toBe(thrown);
});

test("a credential that a function returns is used for each try", async () => {
  await using server = await serveScript(reset, success({ id: "o" }));
  let calls = 0;
  const client = createClient({ url: server.url, token: async () => `token-${++calls}` });
  await client.orders.get("o");
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer token-1",
    "Bearer token-2",
  ]);
});

test("text of the server cannot move the cursor of a terminal", async () => {
  await using server = await serveScript(
    failure(403, { code: "forbidden", message: "\u001b[2Jgone\r\nfake: line" }),
  );
  const error = await rejectionOf(server.client.orders.get("o"));
  expect((error as Error).message).toBe(
    "GET /v1/orders/{id}: 403 forbidden: [2Jgone fake: line (request r-1)".replace("[", " ["),
  );
});

function echo(res: Parameters<Step>[0], request: Parameters<Step>[1]): void {
  failure(400, {
    code: "bad_request",
    message: `header: ${request.headers.authorization}`,
    details: [{ path: TOKEN, message: TOKEN }],
    seen: { authorization: request.headers.authorization },
  })(res, request);
}

/** Checks all texts that a logger could print. */
function expectNoCredential(value: unknown): void {
  const seen = new Set<unknown>();
  const texts = [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? value.stack : "",
    ...allOwn(value, seen),
  ];
  for (const text of texts) expect(text).not.toContain("SECRET");
}

function allOwn(value: unknown, seen: Set<unknown>): string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [String(value)];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => [String(key), ...allOwn(Reflect.get(value, key), seen)]);
}

/** Responds with the credential in JSON escapes, in which its bytes do not appear. */
function escaped(res: Parameters<Step>[0]): void {
  const written = TOKEN.replaceAll("S", "\\u0053");
  const error = `{"code":"forbidden","message":"no","state":{"${written}":["${written}"]}}`;
  res.writeHead(403).end(`{"success":false,"error":${error}}`);
}
