// One deadline over the whole of an attempt: whatever a receiver is slow at, the attempt ends in time as `timeout`,
// its connection is given up, and the next attempt begins one of its own.
import { createServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { addressGuard } from "../src/subscription/address.ts";
import type { Resolve } from "../src/subscription/resolve-name.ts";
import { LOOPBACK, listening, startBareReceiver, startTestSend } from "./support/sending.ts";

const TIMEOUT_MS = 1_500;
const timedOut = expect.objectContaining({ outcome: "timeout", statusCode: null, responseBody: null });

describe("an attempt has ended as timeout when its time is up", () => {
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

  // One at a time there is a single connection to an origin, many at a time a pool of them.
  describe.each([1, 10])("with %d at a time", (concurrency) => {
    test("where the name is never answered; the next attempt asks again", async () => {
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

    test("where TLS is never agreed on; the next attempt connects anew", async () => {
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

  test("for each of many to one origin where TLS is never agreed on: all connect at once", async () => {
    const receiver = keep(await listening(createServer((socket: Socket) => void socket.resume())));
    const send = sending(10);
    const attempts = await Promise.all(Array.from({ length: 10 }, () => send(receiver.url)));
    expect(attempts).toEqual(attempts.map(() => timedOut));
    expect(receiver.connectionCount()).toBe(10);
  });

  test.each<[string, (socket: TLSSocket) => void]>([
    ["no answer comes", (socket) => void socket.resume()],
    ["the request is never read", (socket) => void socket.pause()],
    ["the status line drips", (socket) => drip(socket, "", "HTTP/1.1 200 OKAY")],
    ["the headers drip", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["the body drips", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", ".")],
    [
      "a chunked body drips",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\n.\r\n"),
    ],
    [
      "the body never comes",
      (socket) => void socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
    ],
  ])("where %s", async (_, behave) => {
    const receiver = keep(await startBareReceiver(behave));
    const attempt = await sending(10)(receiver.url, JSON.stringify("x".repeat(4 * 1024 * 1024)));
    expect(attempt).toEqual(timedOut);
    await receiver.untilLeft();
  });
});

/** A character now and then, for ever. */
function drip(socket: TLSSocket, start: string, rest: string): void {
  socket.resume().write(start);
  let at = 0;
  const dripping = setInterval(() => socket.write(rest.charAt(at++ % rest.length)), 20);
  socket.once("close", () => clearInterval(dripping));
}
