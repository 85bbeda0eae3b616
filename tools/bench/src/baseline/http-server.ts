// An empty route, ours or Node's own, as a process: `node http-server.ts ours|node`. Says its port.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { ok, serveHttp, startListening } from "@tradepost/http";
import { createLogger, createMetrics } from "@tradepost/runtime";

const port = process.argv[2] === "ours" ? await ours() : await nodes();
process.send?.(port);

/** With everything that every route of ours has: request id, checks, metrics, a line in the log; without a signature. */
async function ours(): Promise<number> {
  const { url } = serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: [
      { method: "GET", path: "/v1/empty", module: null, role: "anyone", scope: null, handle: () => ok({}) },
    ],
    identify: () => {
      throw new Error("nobody is asked who he is");
    },
    readiness: {},
    logger: createLogger("bench", "info"),
    metrics: createMetrics("bench"),
    metricsOn: "another port",
    isUnavailable: () => false,
  });
  return Number(new URL(url).port);
}

async function nodes(): Promise<number> {
  const body = Buffer.from(JSON.stringify({ success: true, data: {} }));
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": body.length };
  const server = http.createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
