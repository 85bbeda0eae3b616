// A gateway whose responses to refreshes wait: the secret has changed, but the browser does not have the new one yet.
import { createServer, request } from "node:http";
import { listenLocally } from "@tradepost/testing";

const REFRESH = "/v1/auth/refresh";

export async function startSlowRefreshes(platformUrl: string) {
  let held = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    const released = held.promise;
    const upstream = request(new URL(url, platformUrl), { method, headers }, async (response) => {
      if (url === REFRESH) await released;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  const { url, stop } = await listenLocally(server);
  return {
    url,
    stop,
    /** Sends the responses to all refreshes that have arrived by now. */
    release: () => {
      held.resolve();
      held = Promise.withResolvers();
    },
  };
}
