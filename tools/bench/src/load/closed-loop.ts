// As much as goes: each connection sends its next request as soon as the last one is answered.
import { openConnection } from "./connection.ts";
import { checkStatuses } from "./statuses.ts";

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

/** Out: how many were answered as expected. Rejects where more than one in a hundred was not: that is no measurement. */
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
