// Makes every connection to receivers, only to addresses that deliveries may be sent to. Connections are kept open between attempts.
// Each has one request at a time. No attempt waits for a busy one: it could time out and count although no request was sent.
import { Socket } from "node:net";
import { buildConnector, Client, errors } from "undici";
import { type AddressGuard, AddressRefused } from "../../endpoint/endpoint.ts";
import { acceptingContinue, boundReads, type Reading, startReading } from "./bound-reads.ts";
import { NOT_OPENED, type Opening, watchOpening } from "./opening.ts";

export interface Connection extends Reading {
  readonly origin: string;
  readonly client: Client;
  socket: Socket | null;
  opening: Readonly<Opening>;
  /** Whether it has had a response. */
  isReused: boolean;
}

/** Fills `opening` until the callback. */
type Connect = (target: buildConnector.Options, opening: Opening, callback: buildConnector.Callback) => void;

/** Beyond `idleMax`, the longest idle connection is closed. */
export function startConnections({
  idleMax,
  connect: connector,
  ...options
}: Client.Options & { idleMax: number; connect: Connect }) {
  const open = new Set<Connection>();
  const idle = createIdleConnections();

  const connect = (origin: string): Connection => {
    const client = new Client(origin, {
      ...options,
      connect: (target, callback) => {
        const opening = { ...NOT_OPENED };
        connection.opening = opening;
        connector(target, opening, (...result) => {
          const [, socket] = result;
          connection.socket = socket;
          // The client reconnects by itself if it loses the connection before it has written a request.
          connection.isReused = false;
          connection.acceptContinue = acceptingContinue();
          if (socket !== null) boundReads(socket, connection);
          callback(...result);
        });
      },
    });
    const connection: Connection = {
      ...{ origin, client, socket: null, opening: NOT_OPENED, isReused: false },
      ...startReading(),
    };
    client.on("disconnect", () => {
      if (idle.has(connection)) close(connection);
    });
    open.add(connection);
    return connection;
  };

  const close = (connection: Connection): void => {
    idle.remove(connection);
    open.delete(connection);
    void connection.client.destroy();
  };

  const keep = (connection: Connection): void => {
    if (!connection.client.stats.connected) {
      close(connection);
      return;
    }
    Object.assign(connection, { isReused: true, ...startReading() });
    idle.add(connection);
    const { longest } = idle;
    if (idle.size > idleMax && longest !== undefined) close(longest);
  };

  return {
    connect,
    /** The most recently used idle connection, so that the others can expire, or a new one. */
    take: (origin: string): Connection => idle.take(origin) ?? connect(origin),
    /** Keeps the connection if the receiver has left it open and has accepted the whole request. */
    give: (connection: Connection): void => {
      if (hasUnsent(connection)) {
        // A response may arrive before the request is known to be written, which takes one turn of the event loop.
        setImmediate(() => (hasUnsent(connection) ? close(connection) : keep(connection)));
      } else keep(connection);
    },
    stop: async (): Promise<void> => {
      await Promise.all([...open].map(({ client }) => client.destroy()));
    },
  };
}

function createIdleConnections() {
  const all = new Set<Connection>();
  const byOrigin = new Map<string, Connection[]>();
  return {
    has: (connection: Connection) => all.has(connection),
    add: (connection: Connection): void => {
      all.add(connection);
      const others = byOrigin.get(connection.origin);
      if (others === undefined) byOrigin.set(connection.origin, [connection]);
      else others.push(connection);
    },
    take: (origin: string): Connection | undefined => {
      const connections = byOrigin.get(origin);
      const connection = connections?.pop();
      if (connection === undefined) return undefined;
      if (connections?.length === 0) byOrigin.delete(origin);
      all.delete(connection);
      return connection;
    },
    remove: (connection: Connection): void => {
      if (!all.delete(connection)) return;
      const others = byOrigin.get(connection.origin)?.filter((other) => other !== connection) ?? [];
      if (others.length === 0) byOrigin.delete(connection.origin);
      else byOrigin.set(connection.origin, others);
    },
    get size() {
      return all.size;
    },
    get longest(): Connection | undefined {
      const [longest] = all;
      return longest;
    },
  };
}

function hasUnsent({ socket }: Connection): boolean {
  return socket !== null && socket.writableLength > 0;
}

// Node's 250 ms for each of a name's addresses are not enough for a distant receiver while this process is busy. The last address has
// the rest of the attempt's time.
const ADDRESS_TIMEOUT_MS = 1_000;

/** `timeoutMs` covers the name lookup and the TLS handshake. */
export function guardedConnector(timeoutMs: number, guard: AddressGuard): Connect {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: timeoutMs,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    // If a receiver sends too much, its socket is destroyed; with HTTP/2 other requests would share that socket.
    allowH2: false,
    // Even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
  });
  return (target, opening, callback) => {
    // An IP address in the URL is never looked up, so `guard.lookup` does not see it.
    if (!guard.allowsHost(target.hostname)) return callback(new AddressRefused(), null);
    const connecting: unknown = connect(target, (error, socket) => {
      clearTimeout(deadline);
      if (error !== null) return callback(error, null);
      const fault = faultOfPeer(socket, guard);
      if (fault === null) return callback(null, socket);
      socket.destroy();
      callback(fault, null);
    });
    if (connecting instanceof Socket) watchOpening(connecting, opening);
    // undici checks an attempt's signal only after the connection is made, and may round a timeout of more than a second up by half
    // a second. Its types do not say that `connect` returns the socket.
    const deadline = setTimeout(() => {
      if (connecting instanceof Socket) connecting.destroy(new errors.ConnectTimeoutError());
    }, timeoutMs);
  };
}

/** Checks the address of the connected socket, a second time after the lookup. */
function faultOfPeer({ remoteAddress }: Socket, guard: AddressGuard): Error | null {
  // The peer has already closed the connection.
  if (remoteAddress === undefined) return new errors.SocketError("other side closed");
  return guard.allowsHost(remoteAddress) ? null : new AddressRefused();
}
