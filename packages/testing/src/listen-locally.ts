import { once } from "node:events";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import tls from "node:tls";
import type { Certificate } from "./certificate-authority.ts";

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

/** Adds TLS in front of RabbitMQ or Postgres, whose clients ask whether the server uses TLS before they start it. */
export async function startTlsProxy(serverUrl: string, { certificate, key }: Certificate) {
  const { hostname, port, protocol } = new URL(serverUrl);
  const isPostgres = protocol.startsWith("postgres");
  const secureContext = tls.createSecureContext({ cert: certificate, key });
  const server = net.createServer(async (client) => {
    client.on("error", () => undefined);
    if (isPostgres) {
      await once(client, "data").catch(() => undefined);
      client.write("S");
    }
    const secured = new tls.TLSSocket(client, { isServer: true, secureContext });
    joinSockets(secured, net.connect(Number(port), hostname));
  });
  const { port: ownPort, stop } = await listenLocally(server);
  // For a broker, with the scheme `amqps`.
  const url = new URL(serverUrl.replace(/^amqp:/, "amqps:"));
  url.hostname = "127.0.0.1";
  url.port = String(ownPort);
  return { url: url.href, stop };
}
