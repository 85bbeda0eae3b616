// Opens a service's port before the service is ready, so that probes get a response while it waits for its database.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { newId, StartError } from "@tradepost/runtime";
import { ApiError, errorBody } from "./api-error.ts";
import { JSON_HEADERS } from "./api-response.ts";
import { dropRest } from "./drop-rest.ts";
import { requestIdOf } from "./request-context.ts";
import { type UnreadLimits, unreadLimit } from "./unread-limit.ts";

// A request may take as long as 25 MiB take at 256 kbit/s; code that reads bodies has tighter limits. Idle connections outlive
// those of client pools, so that the server does not close one while a request is on its way.
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 65_000,
  // Without this, Node responds to a request without Host with an empty body.
  requireHostHeader: false,
};
const RETRY_AFTER_SECONDS = "2";
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process uses the port",
  EACCES: "the port needs more rights",
  EADDRNOTAVAIL: "the host is not an address of this machine",
  ENOTFOUND: "the host is unknown",
};

export type Listener = Awaited<ReturnType<typeof startListening>>;

/**
 * Listens; port 0 picks a free one. Until `handOver`, `/healthz` responds with 200, `/readyz` with 503 `starting`, and every
 * other path with 503 `service_unavailable` (interface §9).
 * @throws StartError if the port is taken or the host is not an address of this machine.
 */
export async function startListening(options: { host: string; port: number; unread?: UnreadLimits }) {
  let handle: http.RequestListener = respondWhileStarting;
  // Connections that are being closed. Node may already have read their next requests from the same packet.
  const closing = new WeakSet<Socket>();
  const count = unreadLimit(options.unread);
  const receive: http.RequestListener = (req, res) => {
    if (closing.has(req.socket) || !count(req, res)) return;
    const refusal = refusalOf(req);
    if (refusal !== null) {
      closing.add(req.socket);
      refuse(req, res, refusal);
      return;
    }
    toOriginForm(req);
    handle(req, res);
  };
  const server = http.createServer(SERVER_OPTIONS, receive);
  // Without this, Node responds by itself to an `Expect` other than 100-continue.
  server.on("checkExpectation", receive);
  server.on("clientError", (error, socket) => {
    if (!closing.has(socket as Socket)) refuseUnreadable(error, socket);
    else socket.end();
  });
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host === "0.0.0.0" ? "127.0.0.1" : options.host}:${port}`,
    server,
    handOver: (next: http.RequestListener) => {
      handle = next;
    },
    /** Closes the port and all connections at once, for a start that fails. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: http.Server, host: string, port: number): Promise<void> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new StartError(`Cannot listen on ${host}, port ${port}: ${REASONS[code] ?? message}.`);
  }
}

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Returns why a request is refused because of its head, or null (RFC 9110, RFC 9112). */
function refusalOf({ httpVersion, headers, rawHeaders }: http.IncomingMessage): Refusal | null {
  const { "transfer-encoding": coding, host, expect } = headers;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return { status: 505, message: "The version of HTTP must be 1.1 or 1.0." };
  }
  if (host === undefined && httpVersion === "1.1")
    return { status: 400, message: "The header Host is missing." };
  const repeated = SINGLE_HEADERS.find((name) => isRepeated(rawHeaders, name));
  if (repeated !== undefined)
    return { status: 400, message: `The header ${repeated} occurs more than once.` };
  if (coding !== undefined && httpVersion === "1.0")
    return { status: 400, message: "HTTP/1.0 has no Transfer-Encoding." };
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return { status: 501, message: "The only supported Transfer-Encoding is chunked." };
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    return { status: 417, message: "The only supported Expect is 100-continue." };
  return null;
}

// Node keeps the first value; a proxy may have read another.
const SINGLE_HEADERS = ["Host", "Content-Type"];

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? "";
    if (raw.length === name.length && raw.toLowerCase() === name.toLowerCase()) count += 1;
  }
  return count > 1;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Rewrites a target in absolute form to the path and `Host` that it stands for (RFC 9112). */
function toOriginForm(req: http.IncomingMessage): void {
  const [, authority, path = ""] = ABSOLUTE_FORM.exec(req.url ?? "") ?? [];
  if (authority === undefined) return;
  req.url = path.startsWith("/") ? path : `/${path}`;
  req.headers.host = authority;
}

function refuse(req: http.IncomingMessage, res: http.ServerResponse, { status, message }: Refusal): void {
  const requestId = requestIdOf(req);
  const error = new ApiError("bad_request", message);
  const text = JSON.stringify({ success: false, error: errorBody(error, requestId) });
  dropRest(req, res);
  res.writeHead(status, { ...headersOf(requestId, text), connection: "close" });
  res.end(text);
}

function respondWhileStarting(req: http.IncomingMessage, res: http.ServerResponse): void {
  const requestId = requestIdOf(req);
  const path = req.url?.split("?", 1)[0];
  const isAlive = path === "/healthz";
  const text = JSON.stringify(isAlive ? { status: "ok" } : bodyWhileStarting(path, requestId));
  res.writeHead(isAlive ? 200 : 503, {
    ...headersOf(requestId, text),
    ...(!isAlive && { "retry-after": RETRY_AFTER_SECONDS }),
    // An unread body would block the next request on the connection.
    ...(req.method !== "GET" && { connection: "close" }),
  });
  res.end(text);
}

function bodyWhileStarting(path: string | undefined, requestId: string) {
  if (path === "/readyz") return { status: "not_ready", missing: ["starting"] };
  const error = new ApiError("service_unavailable", "The service is starting; try again.");
  return { success: false, error: errorBody(error, requestId) };
}

/** Responds to bytes that are not a valid request, such as two lengths or endless headers (interface §1). */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = UNREADABLE[error.code ?? ""] ?? INVALID;
  const requestId = newId();
  const body = JSON.stringify({ success: false, error: { code: "bad_request", message, requestId } });
  const headers = { ...headersOf(requestId, body), connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const INVALID = ["400 Bad Request", "This is not a valid HTTP request."] as const;

function headersOf(requestId: string, text: string) {
  return { "x-request-id": requestId, ...JSON_HEADERS, "content-length": Buffer.byteLength(text) };
}
