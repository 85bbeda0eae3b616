// A body in one-byte chunks costs the gateway neither memory nor time: it is refused after a few thousand chunks.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { apiClient } from "@tradepost/testing";
import { startGatewayProcess } from "./support/gateway-process.ts";

const CHUNKS = 2_000_000;
const MIB = 1024 * 1024;
const SAMPLE_MS = 20;

describe("one-byte chunks", () => {
  let gateway: Awaited<ReturnType<typeof startGatewayProcess>>;
  beforeAll(async () => {
    gateway = await startGatewayProcess();
    // The first requests make the process grow once, which is not measured.
    const anyone = apiClient(gateway.url);
    for (let count = 0; count < 200; count += 1) await anyone.post("/v1/auth/login", {});
  });
  afterAll(() => gateway.stop());

  /** Sends a body of one-byte chunks until the connection ends. Resolves with everything received. */
  const send = (path: string, chunks: number): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(gateway.port, "127.0.0.1").setEncoding("latin1");
      let received = "";
      socket.on("data", (text) => (received += text));
      // The gateway closes while the client still sends.
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(received));
      const head = [`POST ${path} HTTP/1.1`, "Host: x", "Content-Type: application/json"];
      socket.write(`${head.join("\r\n")}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`);
      socket.write("1\r\n \r\n".repeat(chunks));
      socket.write("0\r\n\r\n");
    });

  /** The largest growth of the process during the work. */
  const growthDuring = async (work: Promise<unknown>) => {
    const before = gateway.residentBytes();
    let highest = before;
    let isOver = false;
    void work.finally(() => (isOver = true));
    while (!isOver) {
      highest = Math.max(highest, gateway.residentBytes());
      await sleep(SAMPLE_MS);
    }
    return highest - before;
  };

  test.each([
    ["on one connection", 1, 50],
    // Each connection has sent some data before it is refused.
    ["on twenty connections", 20, 100],
  ])("two million of them %s are refused and need little memory", async (_how, connections, growthMib) => {
    const sending = Promise.all(
      Array.from({ length: connections }, () => send("/v1/auth/login", CHUNKS / connections)),
    );
    expect(await growthDuring(sending)).toBeLessThan(growthMib * MIB);
    for (const received of await sending) {
      expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(received).toMatch(/\r\nconnection: close\r\n/i);
      expect(received).toContain('"code":"bad_request"');
    }
  });

  test("are read up to a few thousand after a refusal, then the connection is closed", async () => {
    const sending = Promise.all(Array.from({ length: 20 }, () => send("/v1/orders", CHUNKS / 20)));
    expect(await growthDuring(sending)).toBeLessThan(100 * MIB);
    for (const received of await sending) expect(received).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  });

  test("are accepted up to a few thousand", async () => {
    const received = await send("/v1/auth/login", 4_000);
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(received).toContain('"code":"invalid_json"');
  });
});
