// Clients that send a body byte by byte: slowly, or as very many small chunks.
import net from "node:net";
import { sleep } from "@tradepost/runtime";

const BYTE_EVERY_MS = 2_000;
const RECONNECT_AFTER_MS = 500;
const ONE_BYTE_CHUNK = "1\r\n \r\n";
const CHUNKS_PER_WRITE = 4_096;

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

/** Keeps `count` clients sending until `signal` is aborted. A client whose connection is closed connects again. */
export async function slowClients(target: Target, count: number, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => slowClient(target, index, signal)));
}

async function slowClient(target: Target, index: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = open(target, SLOW_HEADS[index % SLOW_HEADS.length] as string);
    const whenClosed = closed(socket, signal);
    const sending = setInterval(() => socket.write(index % 2 === 0 ? " " : ONE_BYTE_CHUNK), BYTE_EVERY_MS);
    await whenClosed;
    clearInterval(sending);
    await sleep(RECONNECT_AFTER_MS, signal);
  }
}

const JSON_TYPE = "content-type: application/json";
const CHUNKED = "transfer-encoding: chunked";
/** The heads of the clients' requests, in turn: with a content length they send single bytes, otherwise chunks of one byte. */
const SLOW_HEADS = [
  `POST /v1/orders HTTP/1.1\r\n${JSON_TYPE}\r\ncontent-length: 1000`,
  `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\n${CHUNKED}`,
  `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\ncontent-length: 1000`,
  `POST /v1/media HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=slow\r\n${CHUNKED}`,
];

/** Resolves to the number of chunks when the connection closes or `signal` is aborted. */
export async function oneByteChunks(target: Target, count: number, signal: AbortSignal): Promise<number> {
  const socket = open(target, `POST /v1/redirects HTTP/1.1\r\n${JSON_TYPE}\r\n${CHUNKED}`);
  const whenClosed = closed(socket, signal);
  let isClosed = false;
  void whenClosed.then(() => {
    isClosed = true;
  });
  const chunks = ONE_BYTE_CHUNK.repeat(CHUNKS_PER_WRITE);
  let sent = 0;
  for (; sent < count && !isClosed; sent += CHUNKS_PER_WRITE) {
    const written = new Promise<void>((resolve) => socket.write(chunks, () => resolve()));
    await Promise.race([written, whenClosed]);
  }
  if (!isClosed) socket.end("0\r\n\r\n");
  await whenClosed;
  return sent;
}

function open({ url, apiKey }: Target, head: string): net.Socket {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(`${head}\r\nhost: ${host}\r\nauthorization: Bearer ${apiKey}\r\n\r\n`);
  // An unread response would keep the connection open.
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
