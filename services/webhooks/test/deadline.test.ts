// A whole attempt has one deadline: whatever is slow, the attempt ends in time as `timeout`, its connection is closed, and the next
// attempt opens a new one.
import { createServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { addressGuard } from "../src/subscription/address.ts";
import type { Resolve } from "../src/subscription/resolve-name.ts";
import { LOOPBACK, listening, startBareReceiver, startTestSend } from "./support/sending.ts";

const TIMEOUT_MS = 1_500;
const timedOut = expect.objectContaining({ outcome: "timeout", statusCode: null, responseBody: null });

describe("an attempt ends as timeout at its deadline", () => {
  const running: { stop(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const { stop } of running.splice(0).reverse()) await stop();
  });

  const sending = (concurrency: number, resolve?: Resolve) => {
    const guard = addressGuard(LOOPBACK, resolve);
    const sender = startTestSend({ timeoutMs: TIMEOUT_MS, concurrency, guard });
    running.push(sender);
    return sender.send;
  };
  const keep = <Server extends { stop(): Promise<unknown> }>(server: Server) => {
    running.push(server);
    return server;
  };

  // With one attempt at a time there is one connection to an origin, with many a pool.
  describe.each([1, 10])("with %d at a time", (concurrency) => {
    test("if the DNS lookup never ends; the next attempt looks the name up again", async () => {
      let askedCount = 0;
      const send = sending(concurrency, () => {
        askedCount += 1;
      });
      for (const nth of [1, 2]) {
        const attempt = await send("https://slow-name.test/");
        expect(attempt).toEqual(timedOut);
        expect(attempt.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 100);
        expect(askedCount).toBe(nth);
      }
    });

    test("if the TLS handshake never ends; the next attempt opens a new connection", async () => {
      const receiver = keep(await listening(createServer((socket: Socket) => void socket.resume())));
      const send = sending(concurrency);
      for (const nth of [1, 2]) {
        const attempt = await send(receiver.url);
        expect(attempt).toEqual(timedOut);
        expect(attempt.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 100);
        expect(receiver.connectionCount()).toBe(nth);
      }
      await receiver.untilLeft();
    });
  });

  test("for each of many to one origin if the TLS handshake never ends: all connect at once", async () => {
    const receiver = keep(await listening(createServer((socket: Socket) => void socket.resume())));
    const send = sending(10);
    const attempts = await Promise.all(Array.from({ length: 10 }, () => send(receiver.url)));
    expect(attempts).toEqual(attempts.map(() => timedOut));
    expect(receiver.connectionCount()).toBe(10);
  });

  test.each<[string, (socket: TLSSocket) => void]>([
    ["no response comes", (socket) => void socket.resume()],
    ["the request is never read", (socket) => void socket.pause()],
    ["the status line arrives slowly", (socket) => drip(socket, "", "HTTP/1.1 200 OKAY")],
    ["the headers arrive slowly", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["the body arrives slowly", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", ".")],
    [
      "a chunked body arrives slowly",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\n.\r\n"),
    ],
    [
      "the body never comes",
      (socket) => void socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
    ],
  ])("if %s", async (_, behave) => {
    const receiver = keep(await startBareReceiver(behave));
    const attempt = await sending(10)(receiver.url, JSON.stringify("x".repeat(4 * 1024 * 1024)));
    expect(attempt).toEqual(timedOut);
    await receiver.untilLeft();
  });
});

/** Sends a character now and then without end. */
function drip(socket: TLSSocket, start: string, rest: string): void {
  socket.resume().write(start);
  let at = 0;
  const dripping = setInterval(() => socket.write(rest.charAt(at++ % rest.length)), 20);
  socket.once("close", () => clearInterval(dripping));
}
