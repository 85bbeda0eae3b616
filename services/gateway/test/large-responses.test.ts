// Answers too large to be held: they stream through whole, as fast as the client takes them, and one that breaks off
// never looks whole. And uploads that take longer than a service may take to answer.
import http from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { startTestGateway, type TestGateway, type TestTenant } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;
// Long enough that a service that does answer is in time on a busy machine.
const UPSTREAM_TIMEOUT_MS = 2_000;
const TYPE = { "content-type": "application/octet-stream" };

describe("a large answer", () => {
  let upstream: Awaited<ReturnType<typeof startRecordingUpstream>>;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startTestGateway({
      CONTENT_URL: upstream.url,
      UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
    });
    tenant = await gateway.createTenant();
  });
  beforeEach(() => {
    upstream.recorded.length = 0;
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.stop();
  });

  const path = "/v1/media/x/file";
  const ask = (method = "GET", headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${tenant.token}`, ...headers } });

  test.each([
    ["with its length", { "content-length": 20 * MIB }],
    ["in chunks", {}],
  ])("%s arrives to the last byte", async (_how, length) => {
    const bytes = Buffer.alloc(20 * MIB, "0123456789abcdef!");
    upstream.behave((res) => res.writeHead(200, { ...TYPE, ...length }).end(bytes));
    const answer = await ask();
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test.each([
    ["with its length", { "content-length": 20 * MIB }],
    ["in chunks", {}],
  ])("%s that breaks off is cut off for the client too", async (_how, length) => {
    upstream.behave((res) => {
      res.writeHead(200, { ...TYPE, ...length });
      res.write(Buffer.alloc(4 * MIB), () => res.destroy());
    });
    const answer = await ask();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect((await tenant.owner.get("/v1/me")).status).toBe(200);
  });

  test("waits for a client that does not take it, and ends when the client goes", async () => {
    let sent = 0;
    let hasEnded = false;
    upstream.behave((res) => {
      res.writeHead(200, { ...TYPE, "content-length": 1024 * MIB });
      res.once("close", () => (hasEnded = true));
      const more = () => {
        while (!res.destroyed && res.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
        sent += 64 * 1024;
      };
      res.on("drain", more);
      more();
    });
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1").pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`);
    // Everything in between is full once nothing moves: sockets' and streams' buffers, not the gigabyte.
    let before = -1;
    await until("the service to wait", async () => {
      const isStill = sent > 0 && sent === before;
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isStill;
    });
    expect(sent).toBeLessThan(64 * MIB);
    socket.destroy();
    await until("the end of the service's answer", () => hasEnded);
  });

  test("tells HEAD its length, and 304 nothing", async () => {
    upstream.behave((res) => res.writeHead(200, { ...TYPE, "content-length": 20 * MIB }).end());
    expect((await ask("HEAD")).headers.get("content-length")).toBe(String(20 * MIB));
    upstream.behave((res) => res.writeHead(304, { etag: '"x"' }).end());
    const same = await ask("GET", { "if-none-match": '"x"' });
    expect([same.status, same.headers.get("etag"), same.headers.get("content-length")]).toEqual([
      304,
      '"x"',
      null,
    ]);
  });

  test("keeps the headers by which a browser handles it safely", async () => {
    const headers = {
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "accept-ranges": "bytes",
      "content-range": "bytes 0-1/9",
      "content-disposition": "attachment",
    };
    upstream.behave((res) => res.writeHead(206, { ...headers, "content-length": 2 }).end("ab"));
    const answer = await ask("GET", { range: "bytes=0-1", "if-range": '"x"' });
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    expect(upstream.recorded[0]?.req.headers).toMatchObject({ range: "bytes=0-1", "if-range": '"x"' });
  });

  test("may be to an upload slower than a service may be, and not to a service that is", async () => {
    upstream.behave((res) => res.writeHead(201).end("{}"));
    const answered = new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${tenant.token}`, "content-length": 4 * MIB };
      const req = http.request(`${gateway.url}/v1/media`, { method: "POST", headers });
      req.once("error", reject);
      req.once("response", (res) => resolve(res.statusCode));
      req.write(Buffer.alloc(2 * MIB));
      // Slowness is what is tested: twice what a service may take.
      setTimeout(() => req.end(Buffer.alloc(2 * MIB)), 2.5 * UPSTREAM_TIMEOUT_MS);
    });
    expect(await answered).toBe(201);
    upstream.behave(() => undefined);
    const slow = await tenant.owner.send("POST", "/v1/media", { body: Buffer.alloc(4 * MIB) });
    expect([slow.status, slow.body.error.code]).toEqual([504, "upstream_timeout"]);
  });
});
