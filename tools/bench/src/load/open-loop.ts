// Load at a fixed rate, which does not drop if the platform is slow. Latency counts from the time at which a request was due, so a
// stall also counts for the requests that wait during it.

import { checkStatuses } from "./check-statuses.ts";
import { type Connection, openConnection } from "./connection.ts";

export interface OpenLoop {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly request: () => string;
  readonly expect: number;
}

const CONNECTIONS_MAX = 256;
const TICK_MS = 1;

/** Resolves to the latencies in milliseconds. Rejects when more than 1 % of the responses have another status. */
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
    connection.send(request(), (status) => {
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
