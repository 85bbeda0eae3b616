// Connects to a receiver, within an attempt's time, and to an address that deliveries may go to: every new connection
// passes here, and every request goes over one of them.
import { Socket } from "node:net";
import { buildConnector, errors } from "undici";
import { type AddressGuard, AddressRefused } from "../subscription/address.ts";

/** In: what a connection may take, name and TLS included, and which addresses may be called. Out: for undici's Agent. */
export function guardedConnector(timeoutMs: number, guard: AddressGuard): buildConnector.connector {
  const connect = buildConnector({
    lookup: guard.lookup,
    timeout: timeoutMs,
    // With HTTP/2 a chatty receiver could not be told to stop by destroying its socket: others would be on it.
    allowH2: false,
    // Whatever the environment says of it.
    rejectUnauthorized: true,
  });
  return (target, callback) => {
    // For an address written out no name is looked up, so it is checked here.
    if (!guard.allowsHost(target.hostname)) return callback(new AddressRefused(), null);
    const connecting: unknown = connect(target, (error, socket) => {
      clearTimeout(deadline);
      if (error !== null) return callback(error, null);
      const refusal = faultOfPeer(socket, guard);
      if (refusal === null) return callback(null, socket);
      socket.destroy();
      callback(refusal, null);
    });
    // undici looks at an attempt's signal only once there is a connection, and rounds a timeout of more than a second
    // up by as much as half a second. Its types leave out that the socket is returned.
    const deadline = setTimeout(() => {
      if (connecting instanceof Socket) connecting.destroy(new errors.ConnectTimeoutError());
    }, timeoutMs);
  };
}

/** The name was checked when it was looked up; this is the second lock, on what the connection really stands with. */
function faultOfPeer({ remoteAddress }: Socket, guard: AddressGuard): Error | null {
  // Whoever has gone already has no address.
  if (remoteAddress === undefined) return new errors.SocketError("other side closed");
  return guard.allowsHost(remoteAddress) ? null : new AddressRefused();
}
