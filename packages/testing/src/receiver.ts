// An HTTPS receiver of webhooks for tests. It records requests and fails on demand.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { until } from "./until.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes, which are what the platform signs. */
  readonly body: Buffer;
  readonly at: Date;
}

/** Decides how to respond: with a status, never (`hang`), by resetting the connection, or by writing to the response. */
export type Behaviour = (request: Received) => number | "hang" | "reset" | ((res: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Changes the behaviour from the next request on. */
  behave(behaviour: Behaviour): void;
  /** Resolves with the first request that matches, even one received earlier. */
  waitFor(what: string, matches: (request: Received) => boolean): Promise<Received>;
  stop(): Promise<void>;
}

/** Starts a receiver with a certificate and key in PEM. By default it uses any free port and responds with 200. */
export async function startReceiver(tls: { certificate: string; key: string }, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = () => 200;
  const server = https.createServer({ cert: tls.certificate, key: tls.key }, async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const request = {
      path: req.url ?? "",
      headers: req.headers,
      body: Buffer.concat(chunks),
      at: new Date(),
    };
    received.push(request);
    const reaction = behaviour(request);
    if (reaction === "reset") req.socket.destroy();
    else if (typeof reaction === "function") reaction(res);
    else if (reaction !== "hang")
      res.writeHead(reaction, { "content-type": "text/plain" }).end(`answered ${reaction}`);
  });
  // `server.closeAllConnections` leaves connections open that are still in their TLS handshake, and the server would serve them
  // after the stop.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    behave: (next) => {
      behaviour = next;
    },
    waitFor: (what, matches) => until(what, () => received.find(matches)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
