import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import { buffer } from "node:stream/consumers";
import { type Certificate, testCertificate } from "./certificate-authority.ts";
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

/** Receives webhooks; null is plain HTTP. By default it responds with 200. */
export async function startReceiver(given?: Certificate | null) {
  const received: Received[] = [];
  let behaviour: Behaviour = () => 200;
  const receive: RequestListener = async (req, res) => {
    const { url: path = "", headers } = req;
    const request = { path, headers, body: await buffer(req), at: new Date() };
    received.push(request);
    const reaction = behaviour(request);
    if (reaction === "reset") req.socket.destroy();
    else if (typeof reaction === "function") reaction(res);
    else if (reaction !== "hang")
      res.writeHead(reaction, { "content-type": "text/plain" }).end(`answered ${reaction}`);
  };
  const tls = given === undefined ? await testCertificate() : given;
  const options = { cert: tls?.certificate, key: tls?.key };
  const server = tls === null ? http.createServer(receive) : https.createServer(options, receive);
  const local = await listenLocally(server);
  return {
    url: tls === null ? local.url : `https://localhost:${local.port}`,
    received,
    /** From the next request on. */
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    /** Also finds a request received earlier. */
    waitFor: (what: string, matches: (request: Received) => boolean) =>
      until(what, () => received.find(matches)),
    stop: local.stop,
    [Symbol.asyncDispose]: local.stop,
  };
}
