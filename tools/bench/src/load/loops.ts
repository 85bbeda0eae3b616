import { sleep } from "@tradepost/runtime";
import { type Connection, openConnection } from "./connection.ts";

interface ClosedLoop {
  readonly url: string;
  readonly connections: number;
  /** The loop ends after this time, or after this number of requests. */
  readonly until: { readonly seconds: number } | { readonly requests: number };
  readonly request: () => string;
  readonly expect: number;
}

export async function closedLoop({ url, connections, until, request, expect }: ClosedLoop) {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const statuses: number[] = [];
  const startedAt = performance.now();
  let [lastAt, sent] = [startedAt, 0];
  const isOver = () =>
    "requests" in until ? sent >= until.requests : lastAt >= startedAt + until.seconds * 1_000;
  const use = async (connection: Connection) => {
    for (let status = expect; status !== 0 && !isOver(); ) {
      sent += 1;
      status = await connection.send(request());
      statuses.push(status);
      lastAt = performance.now();
    }
  };
  await Promise.all(open.map(use));
  for (const connection of open) connection.close();
  const count = checkStatuses(statuses, expect);
  return { count, perSecond: count / ((lastAt - startedAt) / 1_000) };
}

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

interface OpenLoop extends Rate {
  readonly url: string;
  /** `dueAt` is on the clock of `performance.now()`. */
  readonly request: (dueAt: number) => string;
  readonly expect: number;
}

const CONNECTIONS_MAX = 256;

/** Resolves to the latencies in milliseconds, each from the time at which the request was due. */
export async function openLoop({ url, request, expect, ...rate }: OpenLoop): Promise<number[]> {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const statuses: number[] = [];
  let opened = 0;
  const take = async (): Promise<Connection> => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (connection.isOpen()) return connection;
      opened -= 1;
    }
    if (opened >= CONNECTIONS_MAX) return await new Promise((resolve) => waiting.push(resolve));
    opened += 1;
    return await openConnection(url);
  };
  const giveBack = (connection: Connection) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next(connection);
  };
  const latencies = await atRate(rate, async (_, dueAt) => {
    const connection = await take();
    statuses.push(await connection.send(request(dueAt)));
    giveBack(connection);
    return performance.now() - dueAt;
  });
  for (const connection of idle) connection.close();
  checkStatuses(statuses, expect);
  return latencies;
}

/** Begins each run when it is due, even while earlier runs go on. */
export async function atRate<Outcome>(
  { perSecond, seconds }: Rate,
  run: (index: number, dueAt: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const startedAt = performance.now();
  const running: Promise<Outcome>[] = [];
  for (let index = 0; index < Math.round(perSecond * seconds); index += 1) {
    const dueAt = startedAt + (index / perSecond) * 1_000;
    const dueInMs = dueAt - performance.now();
    if (dueInMs > 0) await sleep(dueInMs);
    const outcome = run(index, dueAt);
    // Keeps a failure from being unhandled while other runs begin.
    outcome.catch(() => undefined);
    running.push(outcome);
  }
  return await Promise.all(running);
}

const UNEXPECTED_SHARE_MAX = 0.01;

/** Throws if more than 1 % have another status, because failures are often faster. */
function checkStatuses(statuses: readonly number[], expect: number): number {
  const unexpected = statuses.filter((status) => status !== expect);
  const expected = statuses.length - unexpected.length;
  if (expected > 0 && unexpected.length <= statuses.length * UNEXPECTED_SHARE_MAX) return expected;
  const seen = [...Map.groupBy(statuses, (status) => status || "no response")];
  const counted = seen.map(([status, { length }]) => `${length} × ${status}`).join(", ");
  throw new Error(`expected responses with ${expect}, got ${counted || "none"}`);
}
