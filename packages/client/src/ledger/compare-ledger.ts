// Proves that a receiver has everything that was delivered to it, or finds what is missing. Equal digests take one request;
// otherwise the hours that differ are compared.
import type { CallOptions } from "../call-options.ts";
import type { Response } from "../http/request.ts";
import type { DataOf, ItemOf, QueryOf } from "../operation-types.ts";
import { TradepostError } from "../tradepost-error.ts";
import { type ReceivedDay, type ReceivedRow, readRows } from "./received-rows.ts";

export interface LedgerInput {
  readonly subscriptionId: string;
  /** A date in UTC: `2026-11-24`. */
  readonly day: string;
  /** In any order. Rows of other days are ignored. */
  readonly rows: AsyncIterable<ReceivedRow> | Iterable<ReceivedRow>;
}

export interface LedgerComparison {
  /** True if `missing` and `unknown` are empty. */
  readonly isEqual: boolean;
  readonly digest: string;
  /** The number of deliveries of this day in the rows. */
  readonly received: number;
  /** Read after the rows. `closed` says whether it may still change; `types` counts failed and open deliveries. */
  readonly ledger: DataOf<"getLedger">;
  /** A replay with `include: "all"` sends them again. */
  readonly missing: readonly DeliveredId[];
  /** Not recorded as delivered: the response was lost, so the delivery is sent again or has failed. */
  readonly unknown: readonly string[];
}

type DeliveredId = ItemOf<"listLedgerDeliveries">;
interface Client {
  request<Id extends "getLedger" | "listLedgerDeliveries">(
    id: Id,
    input: CallOptions & { readonly query: QueryOf<Id> },
  ): Promise<Response<DataOf<Id>>>;
}

const PAGE_ITEMS = 100;
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

/**
 * Compares a receiver's record of a day with the platform's ledger (interface §18). Rejects with a TypeError for a row without a
 * delivery id or a time, and with the errors of the client's requests.
 */
export async function compareLedger(
  client: Client,
  { subscriptionId, day, rows }: LedgerInput,
  options: CallOptions = {},
): Promise<LedgerComparison> {
  const own = await readRows(rows, day);
  const { data: ledger } = await client.request("getLedger", { ...options, query: { subscriptionId, day } });
  const differences =
    own.digest === ledger.digest
      ? { missing: [], unknown: [] }
      : await findDifferences(client, { subscriptionId, day }, own, options);
  const isEqual = differences.missing.length === 0 && differences.unknown.length === 0;
  return { isEqual, digest: own.digest, received: own.hourOf.size, ledger, ...differences };
}

/** A row with the wrong hour makes two hours differ, but appears in neither list. */
async function findDifferences(
  client: Client,
  { subscriptionId, day }: { subscriptionId: string; day: string },
  own: ReceivedDay,
  options: CallOptions,
): Promise<Pick<LedgerComparison, "missing" | "unknown">> {
  const delivered = new Map<string, DeliveredId>();
  const equal = new Set<string>();
  for (const hour of HOURS.map((name) => `${day}T${name}`)) {
    const found = await readHour(client, { subscriptionId, hour }, own.digestOfHour(hour), options);
    if (found === "in the future") break;
    if (found === "equal") equal.add(hour);
    else for (const one of found) delivered.set(one.id, one);
  }
  return {
    missing: [...delivered.values()].filter(({ id }) => !own.hourOf.has(id)),
    unknown: [...own.hourOf].flatMap(([id, hour]) => (equal.has(hour) || delivered.has(id) ? [] : [id])),
  };
}

async function readHour(
  client: Client,
  hour: { readonly subscriptionId: string; readonly hour: string },
  digest: string,
  options: CallOptions,
): Promise<DeliveredId[] | "equal" | "in the future"> {
  const found: DeliveredId[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...hour, limit: PAGE_ITEMS, cursor };
    const response = await client.request("listLedgerDeliveries", { ...options, query }).catch(nullIfFuture);
    if (response === null) return "in the future";
    const { data, page } = response;
    if (cursor === undefined && page?.digest === digest) return "equal";
    found.push(...data);
    cursor = page?.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** By the platform's clock, an hour of today has not begun. */
function nullIfFuture(error: unknown): null {
  const isOfHour =
    error instanceof TradepostError &&
    error.status === 422 &&
    error.details.some(({ path }) => path === "hour");
  if (isOfHour) return null;
  throw error;
}
