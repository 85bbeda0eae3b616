// The timeout covers a whole attempt: whatever a receiver delays, the attempt ends as `timeout`, its connection is closed,
// and the next attempt opens a new one.
import { createServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { until } from "@tradepost/testing";
import { addressGuard } from "../src/endpoint/address.ts";
import type { Resolve } from "../src/endpoint/resolve-name.ts";
import { drip, LOOPBACK, useSending } from "./support/sending.ts";

const TIMEOUT_MS = 1_500;
// Timers count from the start of the event loop's turn, which is long on a busy machine.
const EARLIEST_MS = TIMEOUT_MS / 2;
const timedOut = expect.objectContaining({ outcome: "timeout", statusCode: null, responseBody: null });

// The tests run at the same time, because they wait for timeouts.
const { sending: sendingWith, receive, listen } = useSending(afterAll);
const sending = (concurrency: number, resolve?: Resolve) =>
  sendingWith({ timeoutMs: TIMEOUT_MS, concurrency, guard: addressGuard(LOOPBACK, resolve) });
const listenSilently = () => listen(createServer((socket: Socket) => void socket.resume()));
const expectTimeout = async (attempt: ReturnType<ReturnType<typeof sending>>) => {
  expect(await attempt).toEqual(timedOut);
  expect((await attempt).durationMs).toBeGreaterThanOrEqual(EARLIEST_MS);
};
// With a concurrency of 1 an origin has a single connection, otherwise a pool.
test.concurrent.each([1, 10])(
  "an attempt ends as timeout if DNS does not respond, and the next attempt queries again, with a concurrency of %d",
  async (concurrency) => {
    let lookupCount = 0;
    const send = sending(concurrency, () => {
      lookupCount += 1;
    });
    for (const nth of [1, 2]) {
      await expectTimeout(send("https://slow-name.test/"));
      expect(lookupCount).toBe(nth);
    }
  },
);

test.concurrent.each([1, 10])(
  "an attempt ends as timeout if the TLS handshake does not end, and the next attempt connects again, with a concurrency of %d",
  async (concurrency) => {
    const receiver = await listenSilently();
    const send = sending(concurrency);
    for (const nth of [1, 2]) {
      await expectTimeout(send(receiver.url));
      await untilConnected(receiver, nth);
    }
    await receiver.untilDisconnected();
  },
);

test.concurrent.each<[string, (socket: TLSSocket) => void]>([
  ["no response arrives", (socket) => void socket.resume()],
  ["the request is never read", (socket) => void socket.pause()],
  ["the status line arrives slowly", (socket) => drip(socket, "", "HTTP/1.1 200 OKAY")],
  ["the headers arrive slowly", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
  ["the body arrives slowly", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", ".")],
  [
    "a chunked body arrives slowly",
    (socket) => drip(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\n.\r\n"),
  ],
  [
    "the body does not arrive",
    (socket) => void socket.resume().write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
  ],
])("an attempt ends as timeout if %s", async (_, behave) => {
  const receiver = await receive(behave);
  expect(await sending(10)(receiver.url, JSON.stringify("x".repeat(4 * 1024 * 1024)))).toEqual(timedOut);
  await receiver.untilDisconnected();
});

test("each of many concurrent attempts ends as timeout if its TLS handshake does not end", async () => {
  const receiver = await listenSilently();
  const send = sending(10);
  const attempts = await Promise.all(Array.from({ length: 10 }, () => send(receiver.url)));
  expect(attempts).toEqual(attempts.map(() => timedOut));
  await untilConnected(receiver, 10);
});

/** On a busy machine the receiver, which is in this process, may accept a connection after the attempt's end. */
function untilConnected({ connectionCount }: { connectionCount(): number }, count: number): Promise<boolean> {
  return until(`${count} connections`, () => connectionCount() === count);
}
