// Bodies too large for memory are streamed. After a body that is refused unread, the client's connection is still usable.
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;

describe("a large body", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({ CONTENT_URL: upstream.url });
    tenant = await gateway.createTenant();
  });
  beforeEach(() => {
    upstream.recorded.length = 0;
    upstream.readBodies(true);
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
  /** Writes all bytes to one connection and returns the statuses of the responses. */
  const converse = async (count: number, bytes: string) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1").setEncoding("latin1");
    let received = "";
    socket.on("data", (text) => {
      received += text;
    });
    socket.write(bytes);
    const statuses = () => Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status));
    await until(`${count} responses`, () => statuses().length === count);
    socket.destroy();
    return statuses();
  };

  test.each([
    ["with its length", asLength],
    ["in chunks", asChunks],
  ])("%s reaches the service complete", async (_how, request) => {
    const [status] = await converse(1, request("/v1/media", 30 * MIB));
    expect(status).toBe(200);
    expect(upstream.recorded[0]?.body.length).toBe(30 * MIB);
  });

  test.each([
    ["with its length", asLength],
    ["in chunks", asChunks],
  ])("%s that the service refuses without reading it leaves the connection usable", async (_how, request) => {
    upstream.readBodies(false);
    upstream.respondWith((res) => res.writeHead(413).end("{}"));
    const statuses = await converse(2, request("/v1/media", 5 * MIB) + head("GET /v1/me"));
    expect(statuses).toEqual([413, 200]);
  });

  test.each([
    ["with its length", asLength],
    ["in chunks", asChunks],
  ])("%s for a service that is down leaves the connection usable", async (_how, request) => {
    const statuses = await converse(2, request("/v1/orders", 5 * MIB) + head("GET /v1/me"));
    expect(statuses).toEqual([503, 200]);
  });

  test("that the client cuts short is cut short for the service too", async () => {
    let wasAborted = false;
    upstream.onRequest((req) => req.once("close", () => (wasAborted = !req.complete)));
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write(`${head("POST /v1/media", `Content-Length: ${9 * MIB}`)}${"x".repeat(4 * MIB)}`, () =>
      socket.destroy(),
    );
    await until("the service's request to end", () => wasAborted);
    expect(upstream.recorded).toHaveLength(0);
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });
});
