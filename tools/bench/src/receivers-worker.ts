// The thread that `receivers.ts` starts: HTTPS endpoints that respond at once and count requests, or never respond.
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { now } from "./statistics.ts";

export type Arrivals = ReturnType<typeof arrivals>;

export interface WorkerData {
  readonly tls: { readonly certificate: string; readonly key: string };
  readonly addresses: readonly string[];
  readonly hangs: boolean;
}

/** Starts a new count, or asks for the arrivals. */
export type WorkerRequest = { expect: number } | "report";
export type WorkerMessage =
  | { kind: "listening"; ports: number[] }
  | { kind: "arrived" | "reported"; arrivals: Arrivals };

const { tls, addresses, hangs } = workerData as WorkerData;
/** In the bench, the path `from` of a redirect ends with an id. */
const ID = /"from":"\/bench\/([^"]+)"/;

let [expected, count, firstAt, lastAt] = [0, 0, 0, 0];
let arrivedAt = new Map<string, number>();

parentPort?.on("message", (request: WorkerRequest) => {
  if (request === "report") return post({ kind: "reported", arrivals: arrivals() });
  [expected, count, firstAt, lastAt] = [request.expect, 0, 0, 0];
  arrivedAt = new Map();
});

const ports = await Promise.all(addresses.map(listen));
post({ kind: "listening", ports });

async function listen(address: string): Promise<number> {
  const server = https.createServer({ cert: tls.certificate, key: tls.key, keepAlive: true }, receive);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return (server.address() as AddressInfo).port;
}

function receive(req: IncomingMessage, res: ServerResponse): void {
  const at = now();
  if (hangs || req.url === "/hang") return void req.resume();
  let body = "";
  req.setEncoding("latin1");
  req.on("data", (chunk: string) => {
    body += chunk;
  });
  req.on("end", () => {
    res.writeHead(200, { "content-length": "2" }).end("ok");
    record(at, body);
  });
}

function record(at: number, body: string): void {
  if (count === 0) firstAt = at;
  count += 1;
  lastAt = at;
  const id = ID.exec(body)?.[1];
  if (id !== undefined) arrivedAt.set(id, at);
  if (count === expected) post({ kind: "arrived", arrivals: arrivals() });
}

function arrivals() {
  return { count, firstAt, lastAt, arrivedAt };
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
