// How the gateway forwards bodies: it reads JSON completely first, and streams uploads. If the headers say that a body is too large, the
// service gets only the headers, and refuses the request. The client's connection stays usable, whatever a service does not read.
import { until } from "@tradepost/testing";
import { connectRaw, headOf } from "./support/connect-raw.ts";
import { useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;
// One replica is impatient with its services. The other gateways wait for as long as a busy machine needs.
const IMPATIENT = { UPSTREAM_TIMEOUT_MS: "500" };
const JSON_PATH = "/v1/orders";
const UPLOAD_PATH = "/v1/media";
const DOWN_PATH = "/v1/webhooks/subscriptions";

const upstream = await useRecordingUpstream();
const { ORDERS_URL, CONTENT_URL } = upstream.settings;
const gateway = await useGateway({ ORDERS_URL, CONTENT_URL });
const tenant = await gateway.createTenant();
beforeEach(() => {
  upstream.recorded.length = 0;
  upstream.readBodies(true);
  upstream.onRequest(() => undefined);
  upstream.respondWith((res) => res.end("{}"));
});

const head = (requestLine: string, ...lines: string[]) => headOf(tenant.token, requestLine, ...lines);
const asLength = (path: string, bytes: number) =>
  head(`POST ${path}`, `Content-Length: ${bytes}`) + "x".repeat(bytes);
const asChunks = (path: string, bytes: number) =>
  `${head(`POST ${path}`, "Transfer-Encoding: chunked")}${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n0\r\n\r\n`;
const ways = [
  ["with its length", asLength],
  ["in chunks", asChunks],
] as const;
/** Writes all bytes to one connection and returns the statuses of the responses. */
const converse = async (count: number, bytes: string) => {
  const { socket, statuses } = connectRaw(gateway);
  socket.write(bytes);
  await until(`${count} responses`, () => statuses().length === count);
  socket.destroy();
  return statuses();
};

describe("a JSON body", () => {
  test("is forwarded only when it has arrived complete", async () => {
    let requestCount = 0;
    upstream.onRequest(() => (requestCount += 1));
    const { socket, statuses } = connectRaw(gateway);
    socket.write(`${head(`POST ${JSON_PATH}`, "Transfer-Encoding: chunked")}5\r\n{"a":\r\n`);
    // A later request has a response, and only it has reached the service.
    expect((await tenant.owner.get("/v1/customers")).status).toBe(200);
    expect(requestCount).toBe(1);
    socket.write("2\r\n1}\r\n0\r\n\r\n");
    await until("the response", () => statuses().length === 1);
    expect(upstream.recorded[1]?.body.toString()).toBe('{"a":1}');
    expect(upstream.recorded[1]?.req.headers).toMatchObject({ "content-length": "7" });
    expect(upstream.recorded[1]?.req.headers).not.toHaveProperty("transfer-encoding");
    socket.destroy();
  });

  test.each(ways)("of exactly 2 MiB %s is forwarded", async (_how, request) => {
    expect(await converse(1, request(JSON_PATH, 2 * MIB))).toEqual([200]);
    expect(upstream.recorded[0]?.body.length).toBe(2 * MIB);
  });

  test.each(ways)("that is too large %s is refused by its headers only", async (_how, request) => {
    upstream.readBodies(false);
    upstream.respondWith((res) => res.writeHead(403).end("{}"));
    let bodyBytes: number | undefined;
    upstream.onRequest(({ socket }) => {
      const before = socket.bytesRead;
      socket.once("close", () => {
        bodyBytes = socket.bytesRead - before;
      });
    });
    // The connection is usable afterwards.
    expect(await converse(2, request(JSON_PATH, 2 * MIB + 1) + head("GET /v1/me"))).toEqual([403, 200]);
    expect(upstream.recorded).toHaveLength(1);
    expect(upstream.recorded[0]?.req.headers["content-length"]).toBe(String(2 * MIB + 1));
    await until("the upstream connection to close", () => bodyBytes !== undefined);
    expect(upstream.recorded[0]?.req.complete).toBe(false);
    expect(bodyBytes).toBeLessThanOrEqual(1);
  });

  test("that is too large gives 504 if the service does not respond", async () => {
    const { socket, statuses } = connectRaw(await gateway.startReplica(IMPATIENT));
    socket.write(asLength(JSON_PATH, 3 * MIB));
    await until("the response", () => statuses().length === 1);
    expect(statuses()).toEqual([504]);
    socket.destroy();
  });

  test.each(ways)("%s for a service that is down leaves the connection usable", async (_how, request) => {
    expect(await converse(2, request(DOWN_PATH, 5 * MIB) + head("GET /v1/me"))).toEqual([503, 200]);
  });

  test("of 100 MiB is not read completely", async () => {
    upstream.readBodies(false);
    upstream.respondWith((res) => res.writeHead(413).end("{}"));
    const { socket, closed, statuses } = connectRaw(gateway);
    socket.write(head(`POST ${JSON_PATH}`, "Content-Type: application/json", `Content-Length: ${100 * MIB}`));
    let sentBytes = 0;
    const chunk = Buffer.alloc(256 * 1024, "x");
    const send = () => {
      while (!socket.destroyed && sentBytes < 100 * MIB) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("drain", send);
    send();
    await closed;
    expect(statuses()).toEqual([413]);
    // The 32 MiB that are read, and what the kernel buffers at both ends.
    expect(sentBytes).toBeLessThan(64 * MIB);
  });
});

describe("an upload", () => {
  test.each(ways)("%s reaches the service complete", async (_how, request) => {
    expect(await converse(1, request(UPLOAD_PATH, 30 * MIB))).toEqual([200]);
    expect(upstream.recorded[0]?.body.length).toBe(30 * MIB);
  });

  test.each(ways)("%s that is refused unread leaves the connection usable", async (_how, request) => {
    upstream.readBodies(false);
    upstream.respondWith((res) => res.writeHead(413).end("{}"));
    expect(await converse(2, request(UPLOAD_PATH, 5 * MIB) + head("GET /v1/me"))).toEqual([413, 200]);
  });

  test("that the client cuts short is cut short for the service too", async () => {
    let wasAborted = false;
    upstream.onRequest((req) => req.once("close", () => (wasAborted = !req.complete)));
    const { socket } = connectRaw(gateway);
    socket.write(`${head(`POST ${UPLOAD_PATH}`, `Content-Length: ${9 * MIB}`)}${"x".repeat(4 * MIB)}`, () =>
      socket.destroy(),
    );
    await until("the service's request to end", () => wasAborted);
    expect(upstream.recorded).toHaveLength(0);
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });

  test("in one-byte chunks is 400, as many as a tenant may have at once, and never complete", async () => {
    const other = await gateway.createTenant();
    const uploads = Array.from({ length: 8 }, () => connectRaw(gateway));
    for (const { socket } of uploads)
      socket.write(head(`POST ${UPLOAD_PATH}`, "Transfer-Encoding: chunked") + "1\r\nx\r\n".repeat(20_000));
    expect((await other.owner.get("/v1/me")).status).toBe(200);
    for (const { closed, received } of uploads) {
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(received()).toContain('"message":"The body arrived in too many small chunks."');
    }
    expect(upstream.recorded).toHaveLength(0);
  });
});
