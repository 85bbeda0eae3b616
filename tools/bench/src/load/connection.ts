// One keep-alive connection of a sender, as cheap as it can be: whole requests out, whole answers in. What is measured is
// the platform, on the same two cores; a full HTTP client would take as much of them as the platform itself.
import net from "node:net";

export interface Connection {
  /** In: a whole request. Calls back with the answer's status; 0 where the connection broke. One at a time. */
  send(request: string, answered: (status: number) => void): void;
  /** False once the other side has closed it: servers do, when nothing is sent for a minute. */
  isOpen(): boolean;
  close(): void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Resolves when connected. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  let waiting: ((status: number) => void) | undefined;
  let held: Buffer | undefined;
  const answer = (status: number) => {
    const answered = waiting;
    waiting = undefined;
    held = undefined;
    answered?.(status);
  };
  socket.on("data", (chunk: Buffer) => {
    held = held === undefined ? chunk : Buffer.concat([held, chunk]);
    const headEnd = held.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = held.toString("latin1", 0, headEnd);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (held.length >= headEnd + HEAD_END.length + length) answer(Number(head.slice(9, 12)));
  });
  // Whoever sends hears of it by the status 0.
  socket.on("error", () => undefined);
  socket.on("close", () => answer(0));
  return {
    send: (request, answered) => {
      if (socket.destroyed) return answered(0);
      waiting = answered;
      socket.write(request);
    },
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
  };
}

/** Makes a whole request of its parts. */
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
