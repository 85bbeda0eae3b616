// A thread that sends the same request over many connections, each as soon as its last response has been read. A thread of its own,
// so that it does not delay the measurement.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Agent, type Dispatcher } from "undici";

export interface Flood {
  readonly url: string;
  readonly connections: number;
  /** How long a connection waits after a 429, in ms; not at all by default. */
  readonly pauseMs?: number;
  readonly request: {
    readonly method: Dispatcher.HttpMethod;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
}

/** The number of responses by status; 0 counts requests without one. */
export type Statuses = Readonly<Record<number, number>>;

const { url, connections, pauseMs = 0, request } = workerData as Flood;
const agent = new Agent({ connections, pipelining: 1 });
const statuses: Record<number, number> = {};
let isStopping = false;

parentPort?.once("message", () => {
  isStopping = true;
});
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (!isStopping) {
      const status = await send().catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 429 && pauseMs > 0) await sleep(pauseMs);
    }
  }),
);
parentPort?.postMessage(statuses satisfies Statuses);
parentPort?.close();

async function send(): Promise<number> {
  const response = await agent.request({ origin: url, ...request });
  for await (const _chunk of response.body);
  return response.statusCode;
}
