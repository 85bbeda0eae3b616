// Opens a service's port before the service is ready, so that probes get a response while it waits for its database.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, errorBody } from "./api-error.ts";
import { refuseUnreadable } from "./refuse-unreadable.ts";
import { requestIdOf } from "./request-id.ts";

export interface Listener {
  readonly url: string;
  readonly server: http.Server;
  /** Hands every further request to the service. */
  handOver(handle: http.RequestListener): void;
}

// Slow senders are cut: of small bodies in `readBytes`, of large ones by whoever reads them and by the time that 25 MiB
// take at 256 kbit/s. Idle connections outlive those of any client pool in front of us.
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15 * 60_000, keepAliveTimeout: 65_000 };
const RETRY_AFTER_SECONDS = "2";

/**
 * Listens on `host` and `port`; port 0 chooses a free one. Until `handOver`, `/healthz` is 200, `/readyz` is 503 with
 * `starting`, and everything else is 503 `service_unavailable` (interface §9). Rejects if the port is taken.
 */
export async function startListening(options: { host: string; port: number }): Promise<Listener> {
  let handle: http.RequestListener = respondWhileStarting;
  const server = http.createServer(TIMEOUTS, (req, res) => handle(req, res));
  server.on("clientError", refuseUnreadable);
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host === "0.0.0.0" ? "127.0.0.1" : options.host}:${port}`,
    server,
    handOver: (next) => {
      handle = next;
    },
  };
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function respondWhileStarting(req: http.IncomingMessage, res: http.ServerResponse): void {
  const requestId = requestIdOf(req);
  const path = req.url?.split("?", 1)[0];
  const isAlive = path === "/healthz";
  const text = JSON.stringify(isAlive ? { status: "ok" } : bodyWhileStarting(path, requestId));
  res.writeHead(isAlive ? 200 : 503, {
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...(!isAlive && { "retry-after": RETRY_AFTER_SECONDS }),
    // A body that nobody reads would stand in front of the next request.
    ...(req.method !== "GET" && { connection: "close" }),
  });
  res.end(text);
}

function bodyWhileStarting(path: string | undefined, requestId: string) {
  if (path === "/readyz") return { status: "not_ready", missing: ["starting"] };
  const error = new ApiError("service_unavailable", "The service is starting; try again.");
  return { success: false, error: errorBody(error, requestId) };
}
