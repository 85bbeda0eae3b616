// One attempt at a time, without the service around it: the sender as the service starts it, and a receiver of bare
// TLS connections that may do with them whatever it likes.
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import tls from "node:tls";
import { testCertificate, until } from "@tradepost/testing";
import { startSend } from "../../src/dispatch/send.ts";
import { type AddressGuard, addressGuard } from "../../src/subscription/address.ts";
import { generateSecret, sealSecret } from "../../src/subscription/secret.ts";

export const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** In: what differs from a sender that may call this machine and gives an attempt ten seconds. */
export function startTestSend(
  differing: { timeoutMs?: number; concurrency?: number; guard?: AddressGuard } = {},
) {
  const sealingKey = createSecretKey(randomBytes(32));
  const sender = startSend({
    timeoutMs: 10_000,
    concurrency: 10,
    guard: addressGuard(LOOPBACK),
    ...differing,
    sealingKey,
  });
  const [tenantId, subscriptionId] = [randomUUID(), randomUUID()];
  const secretSealed = sealSecret(generateSecret(), sealingKey, tenantId, subscriptionId);
  return {
    /** One attempt at a delivery of its own; `data` is JSON text. */
    send: (url: string, data = '{"redirect":{}}') =>
      sender.send({
        ...{ tenantId, subscriptionId, secretSealed, previousSecretSealed: null, url, data },
        ...{ deliveryId: randomUUID(), eventId: randomUUID(), requestId: randomUUID() },
        ...{ generation: 1, attempt: 1, type: "redirect.added" },
      }),
    stop: () => sender.stop(),
  };
}

/** In: what it does with each connection once TLS is agreed on. */
export async function startBareReceiver(
  behave: (socket: tls.TLSSocket) => void,
  { address = "127.0.0.1", port = 0, certificate = testCertificate() } = {},
) {
  const { certificate: cert, key } = await certificate;
  const sockets: tls.TLSSocket[] = [];
  const server = tls.createServer({ cert, key }, (socket) => {
    // It is cut off in the middle of what it does.
    sockets.push(socket.on("error", () => {}));
    behave(socket);
  });
  const receiver = await listening(server, address, port);
  return {
    ...receiver,
    untilLeft: async () => {
      // One that does not read does not notice that it was left.
      for (const socket of sockets) socket.resume();
      await receiver.untilLeft();
    },
  };
}

/** Listens with any server, and knows which of its connections are still open. */
export async function listening(server: Server, address = "127.0.0.1", wantedPort = 0) {
  const open = new Set<Socket>();
  let connectionCount = 0;
  server.on("connection", (socket: Socket) => {
    connectionCount += 1;
    open.add(socket.on("error", () => {}).once("close", () => open.delete(socket)));
  });
  server.listen(wantedPort, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://localhost:${port}/`,
    connectionCount: () => connectionCount,
    /** Resolves once whoever called has closed every connection. */
    untilLeft: () => until("the end of every connection", () => open.size === 0),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
