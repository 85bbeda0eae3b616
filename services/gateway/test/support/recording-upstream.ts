// An HTTP server in place of a service. It records every request and responds as the test says.
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import { listenLocally } from "@tradepost/testing";

interface Recorded {
  readonly req: IncomingMessage;
  readonly body: Buffer;
}

export type Respond = (res: ServerResponse, recorded: Recorded) => void;

/** A string is the JSON text itself. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Respond {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return (res) => res.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

/** Responds with data as a service does: of one resource, or of the last page of a list. */
export function data(value: unknown): Respond {
  return json({ success: true, data: value, page: { nextCursor: null } });
}

export function failure(status: number, error: object, headers?: Record<string, string>): Respond {
  return json({ success: false, error }, status, headers);
}

/** Starts an upstream that stops after the last test of the file. */
export async function useRecordingUpstream() {
  const recorded: Recorded[] = [];
  let respond: Respond = (res) => res.end("{}");
  let readsBodies = true;
  let onRequest: (req: IncomingMessage) => void = () => undefined;
  const server = http.createServer(async (req, res) => {
    // The gateway's own background requests.
    if (req.url?.startsWith("/internal/")) return void res.writeHead(500).end();
    if (req.url === "/v1/signature") return void respond(res, { req, body: Buffer.alloc(0) });
    onRequest(req);
    const chunks: Buffer[] = [];
    try {
      if (readsBodies) for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      return; // The request was cut short.
    }
    const request = { req, body: Buffer.concat(chunks) };
    recorded.push(request);
    respond(res, request);
  });
  const { url, stop } = await listenLocally(server);
  afterAll(stop);
  return {
    url,
    /** The settings of a gateway for which this upstream is every service. */
    settings: { ORDERS_URL: url, CONTENT_URL: url, WEBHOOKS_URL: url },
    recorded,
    respondWith: (next: Respond) => {
      respond = next;
    },
    /** Sets whether it reads the body before it responds. */
    readBodies: (reads: boolean) => {
      readsBodies = reads;
    },
    /** Sets a callback for every request, before its body is read. */
    onRequest: (next: (req: IncomingMessage) => void) => {
      onRequest = next;
    },
  };
}

/** Sends the same bytes in response to every connection, then closes it. */
export async function startByteServer(response: string) {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(response));
  });
  return await listenLocally(server);
}
