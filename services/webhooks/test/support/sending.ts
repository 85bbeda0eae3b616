// Makes single attempts without the service: the sender as the service starts it, and a receiver that handles its TLS
// connections by hand.
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import tls from "node:tls";
import { testCertificate, until } from "@tradepost/testing";
import { type AddressGuard, addressGuard } from "../../src/endpoint/address.ts";
import { createSealing } from "../../src/endpoint/sealing.ts";
import { startSend } from "../../src/sending/attempt/send.ts";

// Made while the file loads: Jest refuses to load a library in a test that runs at the same time as others.
const CERTIFICATE = await testCertificate();

export const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Senders and receivers that are stopped after each test, or after all tests of a file that runs them concurrently, the last one first. */
export function useSending(after: (stop: () => Promise<void>) => void = afterEach) {
  const running: { stop(): Promise<unknown> }[] = [];
  after(async () => {
    for (const { stop } of running.splice(0).reverse()) await stop();
  });
  const stopLater = <Started extends { stop(): Promise<unknown> }>(started: Started): Started => {
    running.push(started);
    return started;
  };
  return {
    stopLater,
    /** Starts a sender. Returns the function that makes one attempt. */
    sending: (overrides?: Parameters<typeof startTestSend>[0]) => stopLater(startTestSend(overrides)).send,
    receive: async (...of: Parameters<typeof startBareReceiver>) => stopLater(await startBareReceiver(...of)),
    listen: async (server: Server) => stopLater(await listening(server)),
  };
}

/** Responds to each request with this text. A request fits into one TLS record, so it arrives whole. */
export const responding = (text: string) => (socket: tls.TLSSocket) =>
  void socket.setNoDelay(true).on("data", () => socket.write(text));

/** Writes the start, and then one of the pieces, or a character of a text, every 20 ms, forever. */
export function drip(socket: tls.TLSSocket, start: string, pieces: string | readonly string[]): void {
  socket.resume().write(start);
  let at = 0;
  const dripping = setInterval(() => socket.write(pieces[at++ % pieces.length] ?? ""), 20);
  socket.once("close", () => clearInterval(dripping));
}

/** Starts a sender that may reach this machine and allows 10 s for an attempt, except for the options given. */
export function startTestSend(
  overrides: { timeoutMs?: number; concurrency?: number; guard?: AddressGuard } = {},
) {
  const sealing = createSealing([{ id: null, key: createSecretKey(randomBytes(32)) }]);
  const defaults = { timeoutMs: 10_000, concurrency: 10, guard: addressGuard(LOOPBACK) };
  const sender = startSend({ ...defaults, ...overrides, sealing });
  const [tenantId, subscriptionId] = [randomUUID(), randomUUID()];
  const secretSealed = sealing.newSecret(tenantId, subscriptionId).sealed;
  return {
    /** Makes one attempt of a new delivery; `data` is JSON text. */
    send: (url: string, data = '{"redirect":{}}') =>
      sender.send({
        tenantId,
        subscriptionId,
        secretSealed,
        previousSecretSealed: null,
        headersSealed: null,
        url,
        data,
        ...{ resourceId: null, resourceVersion: null, replayId: null },
        ...{ deliveryId: randomUUID(), eventId: randomUUID(), requestId: randomUUID(), traceparent: null },
        occurredAt: new Date().toISOString(),
        attempt: 1,
        type: "redirect.added",
      }),
    stop: () => sender.stop(),
  };
}

/** `behave` handles each connection after the TLS handshake. */
export async function startBareReceiver(
  behave: (socket: tls.TLSSocket) => void,
  { address = "127.0.0.1", port = 0, certificate = Promise.resolve(CERTIFICATE) } = {},
) {
  const { certificate: cert, key } = await certificate;
  const sockets: tls.TLSSocket[] = [];
  let isOver = false;
  const server = tls.createServer({ cert, key }, (socket) => {
    // The sender cuts connections.
    sockets.push(socket.on("error", () => {}));
    if (isOver) socket.resume();
    else behave(socket);
  });
  const receiver = await listening(server, address, port);
  return {
    ...receiver,
    untilDisconnected: async () => {
      // A socket that is not read does not notice the end of its connection. A handshake may end after the attempt.
      isOver = true;
      for (const socket of sockets) socket.resume();
      await receiver.untilDisconnected();
    },
  };
}

/** Listens with any server and tracks its open connections. */
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
    untilDisconnected: () => until("the end of every connection", () => open.size === 0),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
