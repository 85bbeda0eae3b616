// A request is refused before its body has arrived, and the connection is to be closed. The client may still send: an error
// of its write would make it drop the response.
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const MIB = 1024 * 1024;
const TINY_CHUNK = "1\r\n \r\n";

describe("a connection that closes after a refusal", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  /** Sends headers without a token, then `start` of the body. */
  const refusedAfter = async (lines: string[], start = "") => {
    const socket = connect({
      port: Number(new URL(gateway.url).port),
      host: "127.0.0.1",
      allowHalfOpen: true,
    }).setEncoding("latin1");
    const seen = { socket, received: "", hasEnded: false, isClosed: false, errors: [] as Error[] };
    socket.on("data", (text) => (seen.received += text));
    socket.on("end", () => (seen.hasEnded = true));
    socket.on("error", (error) => seen.errors.push(error));
    socket.on("close", () => (seen.isClosed = true));
    socket.write(["POST /v1/orders HTTP/1.1", "Host: x", ...lines, "", start].join("\r\n"));
    await until("the end of the response", () => seen.hasEnded);
    expect(seen.received).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    return seen;
  };

  const send = async (socket: Socket, part: string, count: number) => {
    for (let sent = 0; sent < count && !socket.destroyed; sent += 1) {
      await new Promise((resolve) => socket.write(part, resolve));
      // A reset arrives between two writes.
      await sleep(1);
    }
  };

  test("reads the rest of the body first", async () => {
    const client = await refusedAfter(["Connection: close", `Content-Length: ${2 * MIB}`]);
    await send(client.socket, "x".repeat(MIB / 8), 16);
    client.socket.end();
    await until("the close", () => client.isClosed);
    expect(client.errors).toEqual([]);
  });

  test("reads on if the rest arrives in tiny chunks", async () => {
    const client = await refusedAfter(["Transfer-Encoding: chunked"], TINY_CHUNK.repeat(20_000));
    await send(client.socket, TINY_CHUNK.repeat(10_000), 16);
    client.socket.end();
    await until("the close", () => client.isClosed);
    expect(client.errors).toEqual([]);
  });

  test("is closed when the client closes", async () => {
    const client = await refusedAfter(["Connection: close", "Content-Length: 1000"]);
    client.socket.end("only a part");
    await until("the close", () => client.isClosed);
    expect(client.errors).toEqual([]);
  });
});
