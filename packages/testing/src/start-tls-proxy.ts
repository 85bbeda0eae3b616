import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import type { Certificate } from "./certificate-authority.ts";
import { joinSockets, listenLocally } from "./listen-locally.ts";

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
