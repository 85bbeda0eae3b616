// JSON bodies are read whole before they are forwarded. A service refuses one that is too large by its headers only. The rest
// of it does not block the client's connection, and only part of it is read.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;
const UPSTREAM_TIMEOUT_MS = 1_000;

describe("a JSON body", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({
      ORDERS_URL: upstream.url,
      UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
    });
    tenant = await gateway.createTenant();
  });
  beforeEach(() => {
    upstream.recorded.length = 0;
    upstream.readBodies(true);
    upstream.onRequest(() => undefined);
    upstream.respondWith((res) => res.end("{}"));
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const head = (requestLine: string, ...headers: string[]) =>
    [`${requestLine} HTTP/1.1`, "Host: x", `Authorization: Bearer ${tenant.token}`, ...headers, "", ""].join(
      "\r\n",
    );
  const asLength = (path: string, bytes: number) =>
    head(`POST ${path}`, `Content-Length: ${bytes}`) + "x".repeat(bytes);
  const asChunks = (path: string, bytes: number) =>
    `${head(`POST ${path}`, "Transfer-Encoding: chunked")}${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n0\r\n\r\n`;
  const ways: [string, (path: string, bytes: number) => string][] = [
    ["with its length", asLength],
    ["in chunks", asChunks],
  ];
  const open = (): { socket: Socket; statuses: () => number[] } => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1").setEncoding("latin1");
    let received = "";
    socket.on("data", (text) => {
      received += text;
    });
    socket.on("error", () => undefined);
    return {
      socket,
      statuses: () => Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status)),
    };
  };

  test("is forwarded only when it has arrived complete", async () => {
    let requestCount = 0;
    upstream.onRequest(() => (requestCount += 1));
    const { socket, statuses } = open();
    socket.write(`${head("POST /v1/orders", "Transfer-Encoding: chunked")}5\r\n{"a":\r\n`);
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
    const { socket, statuses } = open();
    socket.write(request("/v1/orders", 2 * MIB));
    await until("the response", () => statuses().length === 1);
    expect(statuses()).toEqual([200]);
    expect(upstream.recorded[0]?.body.length).toBe(2 * MIB);
    socket.destroy();
  });

  test.each(ways)(
    "that is too large %s is refused by the service by its headers only",
    async (_how, request) => {
      upstream.readBodies(false);
      upstream.respondWith((res) => res.writeHead(403).end("{}"));
      let wasClosed = false;
      let bodyBytes = 0;
      upstream.onRequest(({ socket }) => {
        const before = socket.bytesRead;
        socket.once("close", () => {
          wasClosed = true;
          bodyBytes = socket.bytesRead - before;
        });
      });
      const { socket, statuses } = open();
      socket.write(request("/v1/orders", 2 * MIB + 1) + head("GET /v1/me"));
      await until("both responses", () => statuses().length === 2);
      // The connection is usable afterwards.
      expect(statuses()).toEqual([403, 200]);
      expect(upstream.recorded).toHaveLength(1);
      const { req } = upstream.recorded[0] as (typeof upstream.recorded)[number];
      expect(req.headers["content-length"]).toBe(String(2 * MIB + 1));
      await until("the upstream connection to close", () => wasClosed);
      expect(req.complete).toBe(false);
      expect(bodyBytes).toBeLessThanOrEqual(1);
      socket.destroy();
    },
  );

  test("that is too large gives 504 if the service does not respond", async () => {
    const { socket, statuses } = open();
    socket.write(asLength("/v1/orders", 3 * MIB));
    await until("the response", () => statuses().length === 1);
    expect(statuses()).toEqual([504]);
    socket.destroy();
  });

  test.each([
    ["a service's route", "/v1/orders", true, 413],
    ["a route of the gateway", "/v1/api-keys", true, 413],
    ["an unknown caller", "/v1/orders", false, 401],
  ])("of 100 MiB for %s is not read completely", async (_what, path, isKnown, status) => {
    upstream.readBodies(false);
    upstream.respondWith((res) => res.writeHead(413).end("{}"));
    const { socket, statuses } = open();
    const headers = ["Content-Type: application/json", `Content-Length: ${100 * MIB}`];
    const request = head(`POST ${path}`, ...headers);
    socket.write(isKnown ? request : request.replace("Bearer ", "Bearer x"));
    let sentBytes = 0;
    const chunk = Buffer.alloc(256 * 1024, "x");
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const send = () => {
      while (!socket.destroyed && sentBytes < 100 * MIB) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on("drain", send);
    send();
    await closed;
    expect(statuses()).toEqual([status]);
    // The 32 MiB that are read, and what the kernel buffers at both ends.
    expect(sentBytes).toBeLessThan(64 * MIB);
  });
});
