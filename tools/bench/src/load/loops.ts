import { sleep } from "@tradepost/runtime";
import { type Connection, openConnection } from "./connection.ts";

interface Throughput {
  readonly perSecond: number;
  readonly count: number;
  readonly seconds: number;
}

interface ClosedLoop {
  readonly url: string;
  readonly connections: number;
  /** The loop ends after this time, or after this number of requests. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
  readonly request: () => string;
  readonly expect: number;
}

export async function closedLoop(options: ClosedLoop): Promise<Throughput> {
  const { url, connections, until, request, expect } = options;
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  let [lastAt, sent] = [startedAt, 0];
  const isOver = () =>
    "requests" in until ? sent >= until.requests : lastAt >= startedAt + until.seconds * 1_000;
  const useConnection = (connection: Connection) =>
    new Promise<void>((resolve) => {
      const next = () => {
        sent += 1;
        connection.send(request(), (status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          lastAt = performance.now();
          if (isOver() || status === 0) resolve();
          else next();
        });
      };
      next();
    });
  await Promise.all(open.map(useConnection));
  for (const connection of open) connection.close();
  const count = checkStatuses(statuses, expect);
  const took = (lastAt - startedAt) / 1_000;
  return { count, seconds: took, perSecond: count / took };
}

interface OpenLoop {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** `dueAt` is on the clock of `performance.now()`. */
  readonly request: (dueAt: number) => string;
  readonly expect: number;
}

const CONNECTIONS_MAX = 256;
const TICK_MS = 1;

/** Resolves to the latencies in milliseconds. */
export async function openLoop({ url, perSecond, seconds, request, expect }: OpenLoop): Promise<number[]> {
  const total = Math.round(perSecond * seconds);
  const idle: Connection[] = [];
  const waiting: number[] = [];
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let [opened, sent, completed] = [0, 0, 0];
  const done = Promise.withResolvers<void>();
  const startedAt = performance.now();

  const send = (connection: Connection, dueAt: number) =>
    connection.send(request(dueAt), (status) => {
      latencies.push(performance.now() - dueAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      completed += 1;
      const next = waiting.shift();
      if (next !== undefined) send(connection, next);
      else idle.push(connection);
      if (completed === total) done.resolve();
    });
  const begin = (dueAt: number) => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (connection.isOpen()) return send(connection, dueAt);
      opened -= 1;
    }
    waiting.push(dueAt);
    if (opened >= CONNECTIONS_MAX) return;
    opened += 1;
    openConnection(url).then((fresh) => {
      const next = waiting.shift();
      if (next === undefined) idle.push(fresh);
      else send(fresh, next);
    }, done.reject);
  };
  const clock = setInterval(() => {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; sent < due; sent += 1) begin(startedAt + (sent / perSecond) * 1_000);
    if (sent === total) clearInterval(clock);
  }, TICK_MS);
  await done.promise.finally(() => clearInterval(clock));
  for (const connection of idle) connection.close();
  checkStatuses(statuses, expect);
  return latencies;
}

export async function atRate<Outcome>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  run: (index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const startedAt = performance.now();
  const running: Promise<Outcome>[] = [];
  for (let index = 0; index < Math.round(perSecond * seconds); index += 1) {
    const dueIn = startedAt + (index / perSecond) * 1_000 - performance.now();
    if (dueIn > 0) await sleep(dueIn);
    running.push(run(index));
  }
  return await Promise.all(running);
}

const UNEXPECTED_SHARE_MAX = 0.01;

/** Throws if more than 1 % have another status, because failures are often faster. */
function checkStatuses(statuses: ReadonlyMap<number, number>, expect: number): number {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const expected = statuses.get(expect) ?? 0;
  if (expected === 0 || all - expected > all * UNEXPECTED_SHARE_MAX) {
    const seen = [...statuses].map(([status, count]) => `${count} × ${status || "no response"}`).join(", ");
    throw new Error(`expected responses with ${expect}, got ${seen || "none"}`);
  }
  return expected;
}
