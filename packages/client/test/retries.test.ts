// Which requests are repeated, with which idempotency key, and for how long.
import { type Retry, TradepostError } from "../src/index.ts";
import {
  failure,
  rejectionOf,
  reset,
  type Step,
  serveScript,
  silence,
  success,
} from "./support/scripted-server.ts";

const ORDER = { customerId: "c", items: [{ sku: "A", name: "Mug" }] };
const busy = failure(503, { code: "service_unavailable" }, { "retry-after": "0" });

describe.each<[string, Step]>([
  ["503", busy],
  ["429 with Retry-After", failure(429, { code: "rate_limited" }, { "retry-after": "0" })],
  ["408", failure(408, { code: "bad_request" })],
  ["500", failure(500, { code: "internal_error" })],
  ["502 of a proxy", (res) => res.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad</h1>")],
  ["504", failure(504, { code: "upstream_timeout" })],
  ["a connection that is reset", reset],
  ["a body that is cut short", (res) => cutShort(res)],
])("%s", (_, step) => {
  test("a GET is repeated", async () => {
    await using server = await serveScript(step, success({ id: "o" }));
    expect(await server.client.orders.get("o")).toEqual({ id: "o" });
    expect(server.requests).toHaveLength(2);
  });

  test("a POST is repeated with the key of the first try", async () => {
    await using server = await serveScript(step, step, success({ id: "o" }));
    expect(await server.client.orders.place(ORDER)).toEqual({ id: "o" });
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
  });
});

test("a request that waits may take its waitSeconds longer, in one try and in all", async () => {
  const slow: Step = (res, request) => void setTimeout(() => success([])(res, request), 400);
  await using server = await serveScript(slow);
  const client = server.clientWith({ timeoutMs: 100, deadlineMs: 100 });
  expect(await client.listeners.lease("l", { waitSeconds: 20 })).toEqual([]);
  const page = await client.orders.events({ waitSeconds: 20 }).page();
  expect(page).toMatchObject({ data: [] });
  expect(server.requests).toHaveLength(2);
});

test("a POST keeps the caller's key, and its body", async () => {
  await using server = await serveScript(reset, success({ id: "o" }));
  await server.client.orders.place(ORDER, { idempotencyKey: "checkout-17" });
  for (const { headers, body } of server.requests) {
    expect(headers["idempotency-key"]).toBe("checkout-17");
    expect(JSON.parse(body)).toEqual(ORDER);
  }
  expect(server.requests).toHaveLength(2);
});

test("a try that takes too long is ended and repeated", async () => {
  await using server = await serveScript(silence, success({ id: "o" }));
  const client = server.clientWith({ timeoutMs: 200 });
  expect(await client.orders.get("o")).toEqual({ id: "o" });
  expect(server.requests).toHaveLength(2);
});

test.each([400, 401, 403, 404, 409, 410, 412, 413, 415, 422])("%d is not repeated", async (status) => {
  await using server = await serveScript(failure(status, { code: "conflict" }));
  await expect(server.client.orders.get("o")).rejects.toMatchObject({ status, tries: 1, isRetryable: false });
  expect(server.requests).toHaveLength(1);
});

test("a Retry-After that is longer than the deadline is not waited for", async () => {
  const limited = failure(429, { code: "rate_limited" }, { "retry-after": "3600" });
  await using server = await serveScript(limited);
  const error = await rejectionOf(server.client.orders.place(ORDER));
  expect(error).toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 3_600,
    isRetryable: true,
    tries: 1,
  });
  expect((error as TradepostError).idempotencyKey).toBe(server.requests[0]?.headers["idempotency-key"]);
});

test("a Retry-After may be a date", async () => {
  const limited = failure(429, { code: "rate_limited" }, { "retry-after": "Fri, 01 Jan 2999 00:00:00 GMT" });
  await using server = await serveScript(limited);
  const error = await rejectionOf(server.client.orders.get("o"));
  expect((error as TradepostError).retryAfterSeconds).toBeGreaterThan(1_000_000);
});

test.each([
  ["99999999999", 999_999_999],
  ["-5", null],
  ["0.5", null],
  ["soon", null],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
])("Retry-After: %s", async (text, seconds) => {
  await using server = await serveScript(failure(429, { code: "rate_limited" }, { "retry-after": text }));
  const client = server.clientWith({ deadlineMs: 1_000 });
  await expect(client.orders.get("o")).rejects.toMatchObject({ retryAfterSeconds: seconds });
});

test("the deadline ends the tries with the last failure", async () => {
  await using server = await serveScript(busy);
  const client = server.clientWith({ deadlineMs: 700 });
  await expect(client.orders.get("o")).rejects.toMatchObject({ code: "service_unavailable", status: 503 });
  expect(server.requests.length).toBeGreaterThan(1);
});

test("the deadline ends a try that takes too long", async () => {
  await using server = await serveScript(silence);
  const client = server.clientWith({ deadlineMs: 150 });
  await expect(client.orders.get("o")).rejects.toMatchObject({ code: "timeout", status: null });
});

test("a signal ends a request, and a wait between two tries", async () => {
  await using server = await serveScript(silence);
  await using limited = await serveScript(failure(429, { code: "rate_limited" }, { "retry-after": "30" }));
  for (const { clientWith } of [server, limited]) {
    const controller = new AbortController();
    const abort = () => controller.abort(new Error("enough"));
    const client = clientWith({ onRetry: abort });
    if (clientWith === server.clientWith) setTimeout(abort, 50);
    const error = await rejectionOf(client.orders.place(ORDER, { signal: controller.signal }));
    expect(error).toBeInstanceOf(TradepostError);
    expect(error).toMatchObject({ code: "aborted", isRetryable: false, cause: new Error("enough") });
    // The key lets the caller continue with the same change later.
    expect((error as TradepostError).idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("a signal that has aborted before sends nothing", async () => {
  await using server = await serveScript(success({}));
  await expect(server.client.orders.get("o", { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: "aborted",
  });
  expect(server.requests).toHaveLength(0);
});

test("a time without an end does not end at once", async () => {
  const slow: Step = (res, request) => void setTimeout(() => success({ id: "o" })(res, request), 50);
  await using server = await serveScript(slow);
  const forever = Number.POSITIVE_INFINITY;
  const client = server.clientWith({ timeoutMs: forever, deadlineMs: forever });
  expect(await client.orders.get("o")).toEqual({ id: "o" });
  expect(server.requests).toHaveLength(1);
});

test("onRetry is called before each wait", async () => {
  await using server = await serveScript(busy, busy, success({ id: "o" }));
  const retries: Retry[] = [];
  await server.clientWith({ onRetry: (retry) => void retries.push(retry) }).orders.get("o");
  expect(retries).toMatchObject([
    { operation: "getOrder", tries: 1, code: "service_unavailable", status: 503 },
    { operation: "getOrder", tries: 2 },
  ]);
});

test("a server that is not there is tried again until the deadline", async () => {
  const server = await serveScript(success({}));
  await server[Symbol.asyncDispose]();
  const error = await rejectionOf(server.clientWith({ deadlineMs: 600 }).orders.get("o"));
  expect(error).toMatchObject({ code: "connection_failed", status: null, isRetryable: true });
  expect((error as TradepostError).tries).toBeGreaterThan(1);
});

function cutShort(res: Parameters<Step>[0]): void {
  res.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  res.write('{"success":true,');
  setImmediate(() => res.socket?.destroy());
}
