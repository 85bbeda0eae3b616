// Receivers that respond with too much, with nonsense or at the wrong time: each attempt ends with an outcome of interface
// §7, memory does not grow, and the connection is closed.
import type { TLSSocket } from "node:tls";
import { drip, useSending } from "./support/sending.ts";

const MEBIBYTE = 1024 * 1024;
const OK = "HTTP/1.1 200 OK\r\n";
const MANY_X = "x".repeat(16_384);
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const BIG_REQUEST = JSON.stringify("x".repeat(8 * MEBIBYTE));

/** By outcome and kind of receiver: its response, or a start and an endless rest, or its behaviour. */
const RESPONSES: Record<
  string,
  Record<string, string | Buffer | readonly [start: string, rest: string] | ((socket: TLSSocket) => void)>
> = {
  delivered: {
    "whose body never ends": [`${OK}\r\n`, MANY_X],
    "whose chunks never end": [CHUNKED, `4000\r\n${MANY_X}\r\n`],
    "whose chunk's extension never ends": [`${CHUNKED}1;x=`, MANY_X],
    "that sends more than its length": `${OK}content-length: 1\r\n\r\nxxxx`,
    "that responds twice": `${OK}content-length: 0\r\n\r\n`.repeat(2),
  },
  response_invalid: {
    "whose headers never end": [OK, "x: y\r\n".repeat(1_000)],
    "whose one header never ends": [`${OK}x: `, MANY_X],
    "with a header of 1 MiB": `${OK}x: ${"x".repeat(MEBIBYTE)}\r\n\r\n`,
    "whose trailers never end": [`${CHUNKED}0\r\n`, "x: y\r\n".repeat(1_000)],
    "whose reason never ends": ["HTTP/1.1 200 ", MANY_X],
    "whose 100s never end": ["", "HTTP/1.1 100 Continue\r\n\r\n"],
    "whose 103s never end": ["", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)],
    "that speaks another protocol": "220 mail.example ESMTP\r\n",
    "that says HTTP/9.9": "HTTP/9.9 200 OK\r\n\r\n",
    "with random bytes": Buffer.alloc(4_096, 0x9c),
    "with an invalid chunk size": `${CHUNKED}zz\r\n`,
    "with a chunk that is longer than its size": `${CHUNKED}1\r\nxxxx\r\n0\r\n\r\n`,
    "with two lengths": `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`,
    "with an invalid length": `${OK}content-length: -1\r\n\r\n`,
    "with a length and chunks": `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  },
  timeout: {
    "whose 102s arrive slowly without end": (socket) => drip(socket, "", ["HTTP/1.1 102 Processing\r\n\r\n"]),
  },
  connection_reset: {
    "that sends less than its length": `${OK}content-length: 9\r\n\r\nless`,
    "that ends in the middle of a chunk": `${CHUNKED}ff\r\nless`,
    "that closes at once": "",
    "that resets at once": (socket) => void socket.destroy(),
    "that changes the protocol": (socket) =>
      void socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
  },
};

const { sending, receive } = useSending();

const attempt = async (behave: (socket: TLSSocket) => void, data?: string) => {
  const receiver = await receive(behave);
  return { receiver, result: await sending({ timeoutMs: 3_000 })(receiver.url, data) };
};

test.each(
  Object.entries(RESPONSES).flatMap(([outcome, kinds]) =>
    Object.entries(kinds).map(([kind, response]) => [outcome, kind, response] as const),
  ),
)("ends with %s for a receiver %s", async (outcome, _, response) => {
  const { receiver, result } = await attempt((socket) => {
    socket.resume();
    if (typeof response === "function") response(socket);
    else if (typeof response === "string" || Buffer.isBuffer(response)) socket.end(response);
    else writeEndlessly(socket, ...response);
  });
  expect(result.outcome).toBe(outcome);
  expect(result.responseBody?.length ?? 0).toBeLessThanOrEqual(2_048);
  await receiver.untilDisconnected();
});

test("reads 128 KiB and the buffered bytes of a receiver that never stops", async () => {
  const bytesWritten: number[] = [];
  const { receiver, result } = await attempt((socket) => {
    socket.once("close", () => bytesWritten.push(socket.bytesWritten));
    writeEndlessly(socket.resume(), `${OK}\r\n`, MANY_X);
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

/** Sends without end, as fast as it is read. */
function writeEndlessly(socket: TLSSocket, start: string, rest: string): void {
  socket.write(start);
  const write = () => {
    while (!socket.destroyed && socket.write(rest));
  };
  socket.on("drain", write);
  write();
}
