// An HTTPS receiver of webhooks that keeps what it gets and fails on demand: the other end of every delivery test.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { until } from "./until.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes: what the signature is over. */
  readonly body: Buffer;
  readonly at: Date;
}

/** What to do with a request: answer with a status, never answer, cut the connection, or answer by hand. */
export type Behaviour = (request: Received) => number | "hang" | "reset" | ((res: ServerResponse) => void);

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Changes what happens from the next request on. */
  behave(behaviour: Behaviour): void;
  /** Resolves with the first request that matches, waiting for it if need be. */
  waitFor(what: string, matches: (request: Received) => boolean): Promise<Received>;
  stop(): Promise<void>;
}

/** In: a certificate and key in PEM that whoever sends trusts; answers 200 until told otherwise. */
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
        server.closeAllConnections();
      }),
  };
}
