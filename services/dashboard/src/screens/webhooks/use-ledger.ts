// Reads the ledger of a subscription day by day, because the platform counts each day from its events.
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import type { Reply } from "../../api/send.ts";
import { request } from "../../session/request.ts";
import type { LedgerDay } from "./ledger-rows.ts";

const OPEN_MS = 30_000;
// A closed day changes only by a replay or a redelivery.
const CLOSED_MS = 10 * 60_000;

/** Returns the days that are read so far. `isEnd` is true if the log does not go back further. */
export function useLedger(subscriptionId: string, days: readonly string[]) {
  const [readCount, setReadCount] = useState(0);
  const reads = useQueries({
    queries: days.map((day, index) => ({
      queryKey: ["getLedger", { query: { subscriptionId, day } }],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Reply<LedgerDay>> =>
        request("getLedger", { query: { subscriptionId, day } }, { signal }),
      enabled: index <= readCount,
      staleTime: ({ state }: LedgerQuery) => (state.data?.data.closed ? CLOSED_MS : OPEN_MS),
      refetchInterval: ({ state }: LedgerQuery) => state.data?.data.closed === false && OPEN_MS,
    })),
  });
  const firstMissing = reads.findIndex(({ data }) => data === undefined);
  const count = firstMissing === -1 ? reads.length : firstMissing;
  if (count !== readCount) setReadCount(count);
  const missing = reads[firstMissing];
  const failure = (missing?.error ?? null) as Failure | null;
  return {
    days: reads.slice(0, count).flatMap(({ data }) => data?.data ?? []),
    isEnd: failure?.status === 404,
    failure,
    isReading: missing !== undefined && failure === null,
    retry: () => missing?.refetch(),
  };
}

interface LedgerQuery {
  readonly state: { readonly data: Reply<LedgerDay> | undefined };
}
