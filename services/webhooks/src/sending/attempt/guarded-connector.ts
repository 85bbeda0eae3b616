// Connects to a receiver: only to an address that deliveries may be sent to, and within the attempt's time. Every connection of
// the sender is made here.
import { Socket } from "node:net";
import { buildConnector, errors } from "undici";
import { type AddressGuard, AddressRefused } from "../../subscriptions/subscriptions.ts";

// How long one of a name's addresses may take before the next is tried, and this one given up. Node's 250 ms are not enough for a
// distant receiver while this process is busy. The last address has the rest of the attempt's time.
const ADDRESS_TIMEOUT_MS = 1_000;

/** Returns the `connect` option of an undici Agent. `timeoutMs` covers the name lookup and the TLS handshake. */
export function guardedConnector(timeoutMs: number, guard: AddressGuard): buildConnector.connector {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: timeoutMs,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    // A receiver that sends too much is stopped by destroying its socket, which HTTP/2 would share with other requests.
    allowH2: false,
    // Also if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
  });
  return (target, callback) => {
    // An IP address in the URL is never looked up, so `guard.lookup` does not see it.
    if (!guard.allowsHost(target.hostname)) return callback(new AddressRefused(), null);
    const connecting: unknown = connect(target, (error, socket) => {
      clearTimeout(deadline);
      if (error !== null) return callback(error, null);
      const fault = faultOfPeer(socket, guard);
      if (fault === null) return callback(null, acceptingContinue(socket));
      socket.destroy();
      callback(fault, null);
    });
    // undici checks an attempt's signal only after the connection is made, and rounds a timeout of more than a second up by as
    // much as half a second. Its types omit that `connect` returns the socket.
    const deadline = setTimeout(() => {
      if (connecting instanceof Socket) connecting.destroy(new errors.ConnectTimeoutError());
    }, timeoutMs);
  };
}

const CONTINUE = Buffer.from("HTTP/1.1 100 ");
const CONTINUE_LAST_DIGIT = "HTTP/1.1 10".length;

/**
 * undici ends the connection of a receiver that sends a `100 Continue`, because it has not asked for one; clients must accept it (RFC
 * 9110 §15.2). It skips every other interim response, so it reads the head as that of a 103. A body with these bytes at the start of
 * a chunk would show a 3 in the log.
 */
function acceptingContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk) && chunk.subarray(0, CONTINUE.length).equals(CONTINUE))
      chunk.write("3", CONTINUE_LAST_DIGIT, "latin1");
    return chunk;
  };
  return socket;
}

/** Checks the address that the socket is really connected to, as a second check after the one of the lookup. */
function faultOfPeer({ remoteAddress }: Socket, guard: AddressGuard): Error | null {
  // The peer has already closed the connection.
  if (remoteAddress === undefined) return new errors.SocketError("other side closed");
  return guard.allowsHost(remoteAddress) ? null : new AddressRefused();
}
