// Lists a pool's sockets, which pg does not. They are destroyed when the server does not respond or has become read-only.
import type { Socket } from "node:net";
import type { Pool } from "pg";
import { connectionOf } from "./pg-internals.ts";

export function trackSockets(pool: Pool) {
  const open = new Map<Socket, Promise<void>>();
  const idle = new Set<Socket>();
  pool.on("acquire", (client) => idle.delete(connectionOf(client).stream));
  pool.on("release", (_, client) => {
    const { stream } = connectionOf(client);
    if (open.has(stream)) idle.add(stream);
  });
  pool.on("connect", (client) => {
    const { stream } = connectionOf(client);
    const closed = Promise.withResolvers<void>();
    open.set(stream, closed.promise);
    stream.once("close", () => {
      open.delete(stream);
      idle.delete(stream);
      closed.resolve();
    });
  });
  return {
    closed: () => Promise.all(open.values()),
    destroy: () => {
      for (const socket of open.keys()) socket.destroy();
    },
    destroyIdle: (error: Error) => {
      for (const socket of idle) socket.destroy(error);
    },
  };
}
