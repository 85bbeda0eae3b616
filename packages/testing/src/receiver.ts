import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import https from "node:https";
import { listenLocally } from "./listen-locally.ts";
import { until } from "./until.ts";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: Date;
}

/** Responds with a status, never (`hang`), by resetting the connection, or by writing to the response. */
export type Behaviour = (request: Received) => number | "hang" | "reset" | ((res: ServerResponse) => void);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** An HTTPS receiver of webhooks. By default it responds with 200. */
export async function startReceiver(tls: { certificate: string; key: string }) {
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
  const local = await listenLocally(server);
  return {
    url: `https://localhost:${local.port}`,
    received,
    /** From the next request on. */
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    /** Even one received earlier. */
    waitFor: (what: string, matches: (request: Received) => boolean) =>
      until(what, () => received.find(matches)),
    stop: local.stop,
  };
}
