// A process that serves an empty route, with @tradepost/http or with node:http: `node http-server.ts tradepost|node`. It sends
// its port to its parent.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { ok, serveHttp, startListening } from "@tradepost/http";
import { createLogger, createMetrics } from "@tradepost/runtime";

const port = process.argv[2] === "tradepost" ? await serveWithTradepost() : await serveWithNode();
process.send?.(port);

/** Serves the route with everything that each route has: request id, checks, metrics and a log line, but no signed principal. */
async function serveWithTradepost(): Promise<number> {
  const { url } = serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: [
      {
        method: "GET",
        path: "/v1/empty",
        module: null,
        role: "anyone",
        scope: null,
        about: null,
        handle: () => ok({}),
      },
    ],
    identify: () => {
      throw new Error("the route needs no principal");
    },
    readiness: {},
    replicated: async () => {},
    logger: createLogger("bench", "info"),
    metrics: createMetrics("bench"),
    metricsOn: "another port",
    isUnavailable: () => false,
  });
  return Number(new URL(url).port);
}

async function serveWithNode(): Promise<number> {
  const body = Buffer.from(JSON.stringify({ success: true, data: {} }));
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": body.length };
  const server = http.createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
