// A body sent byte by byte costs the gateway neither memory nor time: it is refused after the first thousands of pieces.
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import { startGatewayProcess } from "./support/gateway-process.ts";

const CHUNKS = 2_000_000;
const MIB = 1024 * 1024;
const SAMPLE_MS = 20;

describe("one-byte chunks", () => {
  let gateway: Awaited<ReturnType<typeof startGatewayProcess>>;
  beforeAll(async () => {
    gateway = await startGatewayProcess();
    // What a process takes once, for its first requests, is not the body's.
    const anybody = apiClient(gateway.url);
    for (let count = 0; count < 200; count += 1) await anybody.post("/v1/auth/login", {});
  });
  afterAll(() => gateway.stop());

  /** Sends a body of so many one-byte chunks, or as many as are taken. Out: what came back until the connection ended. */
  const send = (path: string, chunks: number): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(gateway.port, "127.0.0.1").setEncoding("latin1");
      let heard = "";
      socket.on("data", (text) => (heard += text));
      // The gateway closes while the client still sends.
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(heard));
      const head = [`POST ${path} HTTP/1.1`, "Host: x", "Content-Type: application/json"];
      socket.write(`${head.join("\r\n")}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`);
      socket.write("1\r\n \r\n".repeat(chunks));
      socket.write("0\r\n\r\n");
    });

  /** By how much the process had grown at most while the work went on. */
  const growthDuring = async (work: Promise<unknown>) => {
    const before = gateway.residentBytes();
    let highest = before;
    let isOver = false;
    void work.finally(() => (isOver = true));
    while (!isOver) {
      highest = Math.max(highest, gateway.residentBytes());
      await wait(SAMPLE_MS);
    }
    return highest - before;
  };

  test.each([
    ["on one connection", 1, 50],
    // Each hands over what it had sent before it was refused.
    ["on twenty connections", 20, 100],
  ])("two million of them %s are refused, and cost little memory", async (_how, connections, growthMib) => {
    const sending = Promise.all(
      Array.from({ length: connections }, () => send("/v1/auth/login", CHUNKS / connections)),
    );
    expect(await growthDuring(sending)).toBeLessThan(growthMib * MIB);
    for (const heard of await sending) {
      expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(heard).toMatch(/\r\nconnection: close\r\n/i);
      expect(heard).toContain('"code":"bad_request"');
    }
  });

  test("of what is left of a refused body, a few thousand are read and then the connection is closed", async () => {
    const sending = Promise.all(Array.from({ length: 20 }, () => send("/v1/orders", CHUNKS / 20)));
    expect(await growthDuring(sending)).toBeLessThan(100 * MIB);
    for (const heard of await sending) expect(heard).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  });

  test("a few thousand of them are a body like any other", async () => {
    const heard = await send("/v1/auth/login", 4_000);
    expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(heard).toContain('"code":"invalid_json"');
  });
});
