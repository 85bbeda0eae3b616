// HTTPS endpoints that respond at once and count requests; the thread that `receivers.ts` starts.
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { now } from "./now.ts";

export interface Arrivals {
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** By redirect, in milliseconds since the epoch. */
  readonly arrivedAt: ReadonlyMap<string, number>;
}

export type WorkerMessage = { kind: "listening"; ports: number[] } | { kind: "arrived"; arrivals: Arrivals };

const { tls, endpoints } = workerData as { tls: { certificate: string; key: string }; endpoints: number };
const REDIRECT_ID = /"redirect":{"id":"([^"]+)"/;

let [expected, count, firstAt, lastAt] = [0, 0, 0, 0];
let arrivedAt = new Map<string, number>();

parentPort?.on("message", (next: number) => {
  [expected, count, firstAt, lastAt] = [next, 0, 0, 0];
  arrivedAt = new Map();
});

const ports = await Promise.all(Array.from({ length: endpoints }, listen));
post({ kind: "listening", ports });

async function listen(): Promise<number> {
  const server = https.createServer({ cert: tls.certificate, key: tls.key, keepAlive: true }, receive);
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function receive(req: IncomingMessage, res: ServerResponse): void {
  const at = now();
  if (req.url === "/hang") return void req.resume();
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
  const id = REDIRECT_ID.exec(body)?.[1];
  if (id !== undefined) arrivedAt.set(id, at);
  if (count === expected) post({ kind: "arrived", arrivals: { count, firstAt, lastAt, arrivedAt } });
}

function post(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}
