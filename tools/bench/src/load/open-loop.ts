// At a fixed rate, whatever the platform does: like customers, who do not wait for one another. Latency counts from the
// moment at which a request was meant to be sent, so a stall is charged to everybody who had to wait for it.
import { type Connection, openConnection } from "./connection.ts";
import { checkStatuses } from "./statuses.ts";

export interface OpenLoop {
  readonly url: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly request: () => string;
  readonly expect: number;
}

const CONNECTIONS_MAX = 256;
const TICK_MS = 1;

/** Out: each answer's latency in milliseconds. Rejects where more than one in a hundred was not as expected. */
export async function openLoop({ url, perSecond, seconds, request, expect }: OpenLoop): Promise<number[]> {
  const total = Math.round(perSecond * seconds);
  const idle: Connection[] = [];
  const waiting: number[] = [];
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let [opened, sent, answered] = [0, 0, 0];
  const done = Promise.withResolvers<void>();
  const startedAt = performance.now();

  const send = (connection: Connection, meantAt: number) =>
    connection.send(request(), (status) => {
      latencies.push(performance.now() - meantAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered += 1;
      const next = waiting.shift();
      if (next !== undefined) send(connection, next);
      else idle.push(connection);
      if (answered === total) done.resolve();
    });
  const begin = (meantAt: number) => {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (connection.isOpen()) return send(connection, meantAt);
      opened -= 1;
    }
    waiting.push(meantAt);
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
