// Clients that send a request's body as slowly, or in as small pieces, as they can.
import net from "node:net";
import { sleep } from "@tradepost/runtime";

const BYTE_EVERY_MS = 2_000;
const COME_BACK_AFTER_MS = 500;
const ONE_BYTE_CHUNK = "1\r\n \r\n";
const CHUNKS_A_WRITE = 4_096;

interface Target {
  /** Of a gateway. */
  readonly url: string;
  readonly apiKey: string;
}

/** Resolves when `signal` is aborted. A client whose connection is closed comes back. */
export async function slowClients(to: Target, count: number, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => slowClient(to, index, signal)));
}

async function slowClient(to: Target, index: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = open(to, SLOW_HEADS[index % SLOW_HEADS.length] as string);
    const over = closed(socket, signal);
    const sending = setInterval(() => socket.write(index % 2 === 0 ? " " : ONE_BYTE_CHUNK), BYTE_EVERY_MS);
    await over;
    clearInterval(sending);
    await sleep(COME_BACK_AFTER_MS, signal);
  }
}

const JSON_TYPE = "content-type: application/json";
const CHUNKED = "transfer-encoding: chunked";
/** Those with a length send bare bytes, the others chunks. */
const SLOW_HEADS = [
  `POST /v1/orders HTTP/1.1\r\n${JSON_TYPE}\r\ncontent-length: 1000`,
  `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\n${CHUNKED}`,
  `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\ncontent-length: 1000`,
  `POST /v1/media HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=slow\r\n${CHUNKED}`,
];

/** Sends a body in chunks of one byte, as fast as they are taken. Resolves to how many were, at the latest on `signal`. */
export async function oneByteChunks(to: Target, count: number, signal: AbortSignal): Promise<number> {
  const socket = open(to, `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\n${CHUNKED}`);
  const over = closed(socket, signal);
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  const many = ONE_BYTE_CHUNK.repeat(CHUNKS_A_WRITE);
  let sent = 0;
  for (; sent < count && !isOver; sent += CHUNKS_A_WRITE) {
    const written = new Promise<void>((resolve) => socket.write(many, () => resolve()));
    await Promise.race([written, over]);
  }
  if (!isOver) socket.end("0\r\n\r\n");
  await over;
  return sent;
}

function open({ url, apiKey }: Target, head: string): net.Socket {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(`${head}\r\nhost: ${host}\r\nauthorization: Bearer ${apiKey}\r\n\r\n`);
  // The response does not matter, but unread it would keep the connection open.
  socket.resume();
  return socket;
}

function closed(socket: net.Socket, signal: AbortSignal): Promise<void> {
  const end = () => socket.destroy();
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  socket.on("error", () => undefined);
  return new Promise((resolve) => {
    socket.once("close", () => {
      signal.removeEventListener("abort", end);
      resolve();
    });
  });
}
