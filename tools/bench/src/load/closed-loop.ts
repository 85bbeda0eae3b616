// Maximum load: each connection sends its next request as soon as it has the response to the last one.

import { checkStatuses } from "./check-statuses.ts";
import { openConnection } from "./connection.ts";

export interface Throughput {
  readonly perSecond: number;
  readonly count: number;
  readonly seconds: number;
}

export interface ClosedLoop {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Makes the next request. */
  readonly request: () => string;
  readonly expect: number;
}

/** Counts the responses with the expected status. Rejects when more than 1 % have another status. */
export async function closedLoop({
  url,
  connections,
  seconds,
  request,
  expect,
}: ClosedLoop): Promise<Throughput> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const statuses = new Map<number, number>();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let lastAt = startedAt;
  await Promise.all(
    open.map(
      (connection) =>
        new Promise<void>((resolve) => {
          const next = () =>
            connection.send(request(), (status) => {
              statuses.set(status, (statuses.get(status) ?? 0) + 1);
              lastAt = performance.now();
              if (lastAt < endsAt && status !== 0) next();
              else resolve();
            });
          next();
        }),
    ),
  );
  for (const connection of open) connection.close();
  const count = checkStatuses(statuses, expect);
  const took = (lastAt - startedAt) / 1_000;
  return { count, seconds: took, perSecond: count / took };
}
