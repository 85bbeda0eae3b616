// Receivers that respond with too much, with nonsense or at the wrong time: each attempt ends with an outcome of interface
// §7, memory does not grow, and the connection is closed.
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import { startBareReceiver, startTestSend } from "./support/sending.ts";

const MEBIBYTE = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const BIG_REQUEST = JSON.stringify("x".repeat(8 * MEBIBYTE));

describe("an attempt", () => {
  const running: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const { stop } of running.splice(0).reverse()) await stop();
  });

  const attempt = async (behave: (socket: TLSSocket) => void, data?: string) => {
    const receiver = await startBareReceiver(behave);
    const sender = startTestSend({ timeoutMs: 3_000 });
    running.push(receiver, sender);
    return { receiver, result: await sender.send(receiver.url, data) };
  };

  test.each<[string, string, (socket: TLSSocket) => void]>([
    [
      "delivered",
      "whose body never ends",
      (socket) => writeEndlessly(socket, `${OK}\r\n`, "x".repeat(16_384)),
    ],
    [
      "delivered",
      "whose chunks never end",
      (socket) => writeEndlessly(socket, CHUNKED, `4000\r\n${"x".repeat(16_384)}\r\n`),
    ],
    [
      "delivered",
      "whose chunk's extension never ends",
      (socket) => writeEndlessly(socket, `${CHUNKED}1;x=`, "x".repeat(16_384)),
    ],
    [
      "response_invalid",
      "whose headers never end",
      (socket) => writeEndlessly(socket, OK, "x: y\r\n".repeat(1_000)),
    ],
    [
      "response_invalid",
      "whose one header never ends",
      (socket) => writeEndlessly(socket, `${OK}x: `, "x".repeat(16_384)),
    ],
    [
      "response_invalid",
      "with a header of 1 MiB",
      (socket) => void socket.end(`${OK}x: ${"x".repeat(MEBIBYTE)}\r\n\r\n`),
    ],
    [
      "response_invalid",
      "whose trailers never end",
      (socket) => writeEndlessly(socket, `${CHUNKED}0\r\n`, "x: y\r\n".repeat(1_000)),
    ],
    [
      "response_invalid",
      "whose reason never ends",
      (socket) => writeEndlessly(socket, "HTTP/1.1 200 ", "x".repeat(16_384)),
    ],
    [
      "response_invalid",
      "whose 103s never end",
      (socket) => writeEndlessly(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
    ],
    [
      "timeout",
      "whose 102s arrive slowly without end",
      (socket) => writeSlowly(socket, "HTTP/1.1 102 Processing\r\n\r\n"),
    ],
    [
      "response_invalid",
      "that speaks another protocol",
      (socket) => void socket.end("220 mail.example ESMTP\r\n"),
    ],
    ["response_invalid", "that says HTTP/9.9", (socket) => void socket.end("HTTP/9.9 200 OK\r\n\r\n")],
    ["response_invalid", "with random bytes", (socket) => void socket.end(Buffer.alloc(4_096, 0x9c))],
    ["response_invalid", "with an invalid chunk size", (socket) => void socket.end(`${CHUNKED}zz\r\n`)],
    [
      "response_invalid",
      "with a chunk that is longer than its size",
      (socket) => void socket.end(`${CHUNKED}1\r\nxxxx\r\n0\r\n\r\n`),
    ],
    [
      "response_invalid",
      "with two lengths",
      (socket) => void socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
    ],
    [
      "response_invalid",
      "with an invalid length",
      (socket) => void socket.end(`${OK}content-length: -1\r\n\r\n`),
    ],
    [
      "response_invalid",
      "with a length and chunks",
      (socket) => void socket.end(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
    [
      "connection_reset",
      "that sends less than its length",
      (socket) => void socket.end(`${OK}content-length: 9\r\n\r\nless`),
    ],
    [
      "connection_reset",
      "that ends in the middle of a chunk",
      (socket) => void socket.end(`${CHUNKED}ff\r\nless`),
    ],
    ["connection_reset", "that closes at once", (socket) => void socket.end()],
    ["connection_reset", "that resets at once", (socket) => void socket.destroy()],
    [
      "response_invalid",
      "whose 100s never end",
      (socket) => writeEndlessly(socket, "", "HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    [
      "connection_reset",
      "that changes the protocol",
      (socket) => void socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    ],
    [
      "delivered",
      "that sends more than its length",
      (socket) => void socket.end(`${OK}content-length: 1\r\n\r\nxxxx`),
    ],
    [
      "delivered",
      "that responds twice",
      (socket) => void socket.end(`${OK}content-length: 0\r\n\r\n`.repeat(2)),
    ],
  ])("ends with %s for a receiver %s", async (outcome, _, behave) => {
    const { receiver, result } = await attempt((socket) => {
      socket.resume();
      behave(socket);
    });
    expect(result.outcome).toBe(outcome);
    expect(result.responseBody?.length ?? 0).toBeLessThanOrEqual(2_048);
    await receiver.untilDisconnected();
  });

  test("reads 128 KiB and the buffered bytes of a receiver that never stops", async () => {
    const bytesWritten: number[] = [];
    const { receiver, result } = await attempt((socket) => {
      socket.once("close", () => bytesWritten.push(socket.bytesWritten));
      writeEndlessly(socket.resume(), `${OK}\r\n`, "x".repeat(16_384));
    });
    expect(result.responseBody).toBe("x".repeat(2_048));
    await receiver.untilDisconnected();
    // The kernel buffers a few MiB on both sides. An attempt that read until its timeout would read GiB.
    expect(bytesWritten[0]).toBeLessThan(32 * MEBIBYTE);
  });

  test("gives up on a receiver that responds before the request", async () => {
    const { receiver, result } = await attempt((socket) => void socket.write(`${OK}\r\n`));
    expect(result.outcome).not.toBe("delivered");
    expect(receiver.connectionCount()).toBeLessThan(10);
  });

  test("asks for no compression, and stores the bytes of a decompression bomb as they are", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MEBIBYTE));
    let request = "";
    const { result } = await attempt((socket) => {
      socket.once("data", (start) => {
        request = start.toString();
        socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      });
    });
    expect(request.toLowerCase()).toContain("\r\naccept-encoding: identity\r\n");
    expect(result.outcome).toBe("delivered");
    expect(result.responseBody).toBe(bomb.subarray(0, 2_048).toString("utf8").replaceAll("\u0000", "\uFFFD"));
  });

  test("stores the readable characters of a body that is not text, without a NUL", async () => {
    const { result } = await attempt((socket) => {
      socket.resume().write(`${OK}\r\n`);
      socket.end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]));
    });
    expect(result.responseBody).toMatch(/^a\uFFFD+\(\uFFFD+b$/);
    expect(result.responseBody?.isWellFormed()).toBe(true);
  });

  test.each([
    ["and then reads on", (socket: TLSSocket) => void socket.resume()],
    ["and never reads", (socket: TLSSocket) => void socket.pause()],
  ])("stores the response of a receiver that responds before it has read the request %s", async (_, then) => {
    const { receiver, result } = await attempt((socket) => {
      socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 7\r\n\r\ntoo big");
      then(socket);
    }, BIG_REQUEST);
    expect(result).toMatchObject({ outcome: "http_status", statusCode: 413, responseBody: "too big" });
    await receiver.untilDisconnected();
  });

  test("ends with connection_reset or the response if the receiver cuts off a large request", async () => {
    const { receiver, result } = await attempt((socket) => {
      // A response before the first byte of the request belongs to no request, and undici connects again.
      socket.once("data", () => {
        socket.pause();
        socket.end("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n", () => socket.destroy());
      });
    }, BIG_REQUEST);
    expect(["http_status", "connection_reset"]).toContain(result.outcome);
    await receiver.untilDisconnected();
  });
});

/** Sends without end, as fast as it is read. */
function writeEndlessly(socket: TLSSocket, start: string, rest: string): void {
  socket.write(start);
  const write = () => {
    while (!socket.destroyed && socket.write(rest));
  };
  socket.on("drain", write);
  write();
}

/** Writes a piece every 20 ms, forever. */
function writeSlowly(socket: TLSSocket, piece: string): void {
  const drip = setInterval(() => socket.write(piece), 20);
  socket.once("close", () => clearInterval(drip));
}
