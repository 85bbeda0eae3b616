// A connection as bytes, for tests of what no well-behaved client sends.
import { connect } from "node:net";

export function connectRaw({ url }: { readonly url: string }) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("latin1");
  let received = "";
  let isClosed = false;
  socket.on("data", (text) => {
    received += text;
  });
  // The gateway may close first.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  void closed.then(() => (isClosed = true));
  return {
    socket,
    received: () => received,
    statuses: () => Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status)),
    isClosed: () => isClosed,
    closed,
  };
}

export function headOf(token: string, requestLine: string, ...lines: string[]): string {
  const all = [`${requestLine} HTTP/1.1`, "Host: x", `Authorization: Bearer ${token}`, ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}
