// Keeps the connections to receivers open between attempts. A connection has one request at a time, and an attempt never waits
// for one: it could time out and count although no request was sent.
import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  socket: Socket | null;
  /** By `performance.now()`. Null until a first response has been received over the connection. */
  idleSince: number | null;
}

/** `idleMax` bounds the idle connections to all origins; the one that has been idle for the longest is closed first. */
export function startConnections({
  idleMax,
  connect: connector,
  ...options
}: Client.Options & { idleMax: number; connect: buildConnector.connector }) {
  const open = new Set<Connection>();
  // The longest idle first.
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  const connect = (origin: string): Connection => {
    const client = new Client(origin, {
      ...options,
      connect: (target, callback) =>
        connector(target, (...result) => {
          connection.socket = result[1];
          callback(...result);
        }),
    });
    const connection: Connection = { origin, client, socket: null, idleSince: null };
    // The client also connects again by itself if it loses the connection before it has written a request.
    client.on("connect", () => {
      connection.idleSince = null;
    });
    client.on("disconnect", () => {
      if (idle.has(connection)) close(connection);
    });
    open.add(connection);
    return connection;
  };

  const removeIdle = (connection: Connection): void => {
    if (!idle.delete(connection)) return;
    const others = idleByOrigin.get(connection.origin)?.filter((other) => other !== connection) ?? [];
    if (others.length === 0) idleByOrigin.delete(connection.origin);
    else idleByOrigin.set(connection.origin, others);
  };

  const close = (connection: Connection): void => {
    removeIdle(connection);
    open.delete(connection);
    void connection.client.destroy();
  };

  const keep = (connection: Connection): void => {
    if (!connection.client.stats.connected) {
      close(connection);
      return;
    }
    connection.idleSince = performance.now();
    idle.add(connection);
    const others = idleByOrigin.get(connection.origin);
    if (others === undefined) idleByOrigin.set(connection.origin, [connection]);
    else others.push(connection);
    const [longestIdle] = idle;
    if (idle.size > idleMax && longestIdle !== undefined) close(longestIdle);
  };

  return {
    connect,
    /** Returns the most recently used idle connection, so that the others can be closed, or a new one. */
    take: (origin: string): Connection => {
      const connections = idleByOrigin.get(origin);
      const connection = connections?.pop();
      if (connection === undefined) return connect(origin);
      if (connections?.length === 0) idleByOrigin.delete(origin);
      idle.delete(connection);
      return connection;
    },
    /** Ends the use of a connection. It is kept if the receiver has left it open and has taken the whole request. */
    give: (connection: Connection): void => {
      if (hasUnsent(connection)) {
        // A response may be read before it is known that the request has been written, which takes one turn of the event loop.
        setImmediate(() => (hasUnsent(connection) ? close(connection) : keep(connection)));
      } else keep(connection);
    },
    /** Attempts in progress fail. */
    stop: async (): Promise<void> => {
      await Promise.all([...open].map(({ client }) => client.destroy()));
    },
  };
}

function hasUnsent({ socket }: Connection): boolean {
  return socket !== null && socket.writableLength > 0;
}
