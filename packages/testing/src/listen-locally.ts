import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** Starts the server on a free port of 127.0.0.1. */
export async function listenLocally(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Destroys the open connections, also those that are still in their TLS handshake. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Pipes each socket into the other. When one closes, so does the other. */
export function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on("error", () => undefined);
    from.on("close", () => to.destroy());
  }
}
