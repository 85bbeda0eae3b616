import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import type { Certificate } from "./certificate-authority.ts";

export interface TlsProxy {
  /** For a broker, with the scheme `amqps`. */
  readonly url: string;
  stop(): void;
}

/** Adds TLS in front of RabbitMQ or Postgres, whose clients ask whether the server uses TLS before they start it. */
export async function startTlsProxy(serverUrl: string, { certificate, key }: Certificate): Promise<TlsProxy> {
  const { hostname, port, protocol } = new URL(serverUrl);
  const isPostgres = protocol.startsWith("postgres");
  const sockets = new Set<net.Socket>();
  const secureContext = tls.createSecureContext({ cert: certificate, key });
  const server = net.createServer(async (client) => {
    keep(client);
    if (isPostgres) {
      await once(client, "data").catch(() => undefined);
      client.write("S");
    }
    const secured = new tls.TLSSocket(client, { isServer: true, secureContext });
    const upstream = net.connect(Number(port), hostname);
    keep(secured);
    keep(upstream);
    secured.pipe(upstream).pipe(secured);
  });
  function keep(socket: net.Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(serverUrl.replace(/^amqp:/, "amqps:"));
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
