// A minimal HTTP client: one keep-alive connection that sends complete requests and reads complete responses. A full client
// would use as much processor time as the platform, on the same cores.
import { once } from "node:events";
import net from "node:net";

export type Connection = Awaited<ReturnType<typeof openConnection>>;

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Resolves when connected. */
export async function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let waiting: ((status: number) => void) | undefined;
  let received: Buffer | undefined;
  const finish = (status: number) => {
    waiting?.(status);
    waiting = undefined;
    received = undefined;
  };
  socket.on("data", (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = received.toString("latin1", 0, headEnd);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (received.length >= headEnd + HEAD_END.length + length) finish(Number(head.slice(9, 12)));
  });
  // `close` follows, and reports status 0.
  socket.on("error", () => undefined);
  socket.on("close", () => finish(0));
  return {
    /** Resolves to the status of the response; 0 if the connection closed. Allows one request at a time. */
    send: (request: string) =>
      new Promise<number>((resolve) => {
        if (socket.destroyed) return resolve(0);
        waiting = resolve;
        socket.write(request);
      }),
    /** False after the server has closed the connection, for example because it was idle for a minute. */
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  };
}

export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length =
    body === "" ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body}`;
}
