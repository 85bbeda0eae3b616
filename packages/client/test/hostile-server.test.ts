// Responses that do not come from the platform: none is accepted as data, and none uses more than its share of memory or time.
import { gzipSync } from "node:zlib";
import { createClient } from "../src/index.ts";
import { json, rejectionOf, serveScript, success } from "./support/scripted-server.ts";

test.each<[string, number, unknown]>([
  ["a text", 200, "ok"],
  ["null", 200, null],
  ["a list", 200, []],
  ["an object without the envelope", 200, { id: "o" }],
  ["a failure with a status of success", 200, { success: false, error: { code: "x", message: "y" } }],
  ["a success without data", 200, { success: true }],
  ["an error without a code", 400, { success: false, error: { message: "no" } }],
  ["an error that is a text", 400, { success: false, error: "no" }],
  ["a success with a status of failure", 400, { success: true, data: {} }],
])("%s is an invalid response", async (_, status, body) => {
  await using server = await serveScript(json(status, body));
  await expect(server.client.orders.get("o")).rejects.toMatchObject({ code: "invalid_response", status });
  expect(server.requests).toHaveLength(1);
});

test("JSON that is cut off or not JSON is an invalid response, and a POST that got it is not repeated", async () => {
  await using server = await serveScript((res) => res.writeHead(201).end('{"success":true,"da'));
  const placing = server.client.orders.place({ customerId: "c", items: [{ sku: "A", name: "Mug" }] });
  await expect(placing).rejects.toMatchObject({ code: "invalid_response", status: 201, isRetryable: false });
  expect(server.requests).toHaveLength(1);
});

test.each([301, 302, 303, 307, 308])("a redirect with %d is not followed", async (status) => {
  await using other = await serveScript(success({ id: "o" }));
  await using server = await serveScript((res) => res.writeHead(status, { location: other.url }).end());
  await expect(server.client.orders.get("o")).rejects.toMatchObject({ code: "invalid_response", status });
  expect(other.requests).toHaveLength(0);
});

test("a body above the limit is not read to its end, also if it is small until it is decompressed", async () => {
  const large = Buffer.alloc(20_000_000, " ");
  await using plain = await serveScript((res) => res.writeHead(200).end(large));
  await using compressed = await serveScript((res) =>
    res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(large)),
  );
  for (const { clientWith } of [plain, compressed]) {
    const error = await rejectionOf(clientWith({ responseBytesMax: 100_000 }).orders.get("o"));
    expect(error).toMatchObject({ code: "invalid_response", isRetryable: false });
    expect(String(error)).toContain("above 100000 bytes");
  }
});

test("names of a path are one segment each", async () => {
  await using server = await serveScript(success({ id: "o" }));
  const client = createClient({ url: `${server.url}/shop/` });
  await client.orders.get("a/../b?c#d");
  expect(server.requests[0]?.path).toBe("/shop/v1/orders/a%2F..%2Fb%3Fc%23d");
  for (const id of ["", ".", ".."])
    await expect(async () => client.orders.get(id)).rejects.toThrow(TypeError);
  expect(server.requests).toHaveLength(1);
});

test("members of an error named as those of an object's prototype change nothing", async () => {
  const body =
    '{"success":false,"error":{"code":"conflict","message":"m","requestId":"r","__proto__":{"polluted":1}}}';
  await using server = await serveScript((res) => res.writeHead(409).end(body));
  const error = await rejectionOf(server.client.orders.get("o"));
  expect(error).toMatchObject({ code: "conflict" });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a number beyond a double can be read as text, or with another parser", async () => {
  const body = '{"success":true,"data":{"id":"o","metadata":{"serial":12345678901234567890}}}';
  await using server = await serveScript((res) => res.writeHead(200).end(body));
  expect((await server.client.request("getOrder", { path: { id: "o" } })).text).toBe(body);
  const exact = server.clientWith({
    parseJson: (text) =>
      JSON.parse(text, (_, value, { source }: { source?: string } = {}) =>
        typeof value === "number" && !Number.isSafeInteger(value) ? BigInt(source ?? value) : value,
      ),
  });
  expect((await exact.orders.get("o")).metadata).toEqual({ serial: 12345678901234567890n });
});
