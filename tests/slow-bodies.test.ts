// More slow clients than the gateway has connections to a service: other tenants are not delayed, and slow uploads are
// refused.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ApiClient, until } from "@tradepost/testing";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const CLIENTS = 140;
const BYTE_EVERY_MS = 10_000;
const READS = 20;
/**
 * The limit for a read, by the slowest one without slow clients, because the machine may be busy. A read that waits for a
 * slow client takes 10 s or more: sooner no body counts as too slow.
 */
const readMsMax = (usualMs: number) => 5_000 + 10 * usualMs;

interface SlowClient {
  readonly socket: Socket;
  readonly heard: () => string;
}

const BY_DEFAULT = {
  TENANT_CONCURRENCY_MAX: "",
  RATE_LIMIT_PER_SECOND: "",
  TENANT_RATE_LIMIT_PER_SECOND: "",
};
const UNLIMITED = {
  TENANT_CONCURRENCY_MAX: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
};

describe.each([
  ["by default", BY_DEFAULT],
  ["without limits on concurrency and rate", UNLIMITED],
])("slow bodies of one tenant, %s,", (_what, limits) => {
  let platform: TestPlatform;
  let slow: TestTenant;
  let other: TestTenant;
  const clients: SlowClient[] = [];

  beforeAll(async () => {
    platform = await startTestPlatform(limits);
    slow = await platform.createTenant();
    other = await platform.createTenant();
  });
  afterAll(async () => {
    for (const { socket } of clients) socket.destroy();
    await platform.stop();
  });

  const send = (path: string, contentType: string): SlowClient => {
    const socket = connect(Number(new URL(platform.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    let heard = "";
    socket.on("data", (bytes) => {
      heard += bytes;
    });
    const headers = [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${slow.apiKey}`];
    headers.push(`Content-Type: ${contentType}`, "Transfer-Encoding: chunked");
    socket.write(`${headers.join("\r\n")}\r\n\r\n1\r\n-\r\n`);
    const byte = setInterval(() => socket.write("1\r\n-\r\n"), BYTE_EVERY_MS);
    socket.once("close", () => clearInterval(byte));
    const client = { socket, heard: () => heard };
    clients.push(client);
    return client;
  };
  const attack = (path: string, contentType: string) =>
    Array.from({ length: CLIENTS }, () => send(path, contentType));
  /** The status of each read, and the time of the slowest. */
  const readOften = async (key: ApiClient, paths: readonly string[]) => {
    const statuses = new Set<number>();
    let slowestMs = 0;
    for (let count = 0; count < READS; count += 1) {
      const startedAt = performance.now();
      for (const { status } of await Promise.all(paths.map((path) => key.get(path)))) statuses.add(status);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    return { statuses: [...statuses], slowestMs };
  };

  test("on a JSON route do not delay another tenant", async () => {
    const paths = ["/v1/orders?limit=1", "/v1/customers?limit=1"];
    const usual = await readOften(other.key, paths);
    expect(usual.statuses).toEqual([200]);
    attack("/v1/orders", "application/json");
    const { statuses, slowestMs } = await readOften(other.key, paths);
    expect(statuses).toEqual([200]);
    expect(slowestMs).toBeLessThan(readMsMax(usual.slowestMs));
    for (const { socket } of clients) socket.destroy();
  });

  test("on uploads do not delay another tenant, and most of them are 429", async () => {
    const paths = ["/v1/media?limit=1", "/v1/redirects?limit=1"];
    const usual = await readOften(other.key, paths);
    expect(usual.statuses).toEqual([200]);
    const uploads = attack("/v1/media", "multipart/form-data; boundary=x");
    const { statuses, slowestMs } = await readOften(other.key, paths);
    expect(statuses).toEqual([200]);
    expect(slowestMs).toBeLessThan(readMsMax(usual.slowestMs));
    // Uploads that wait for the first 8, and those that waited too long.
    const refused = () => uploads.filter(({ heard }) => heard().startsWith("HTTP/1.1 429")).length;
    await until("the refusals", () => refused() === CLIENTS - 8);
    if (limits === UNLIMITED) return;

    // The default pace: 30 s for the first 480 KiB.
    const cut = () => uploads.filter(({ heard }) => heard().startsWith("HTTP/1.1 400"));
    await until("the end of the others", () => cut().length === 8, 120_000);
    expect(cut()[0]?.heard()).toMatch(/"code":"bad_request","message":"The body arrived too slowly."/);
    await until("closed connections", () => cut().every(({ socket }) => socket.closed));
    const form = new FormData();
    form.append("file", new Blob(["hello"], { type: "text/plain" }), "a.txt");
    const headers = { authorization: `Bearer ${slow.apiKey}` };
    const upload = await fetch(`${platform.url}/v1/media`, { method: "POST", headers, body: form });
    // The connection is free again, so this upload is forwarded.
    expect([201, 415]).toContain(upload.status);
  }, 300_000);
});
