// Writes an import of orders: each order succeeds or fails by itself, and all of them commit in one transaction with the
// record for the import's Idempotency-Key.
import {
  ApiError,
  type ApiResponse,
  errorBody,
  type IdempotencyKey,
  invalid,
  ok,
  validateNew,
} from "@tradepost/http";
import { insertRecord } from "@tradepost/idempotency";
import type { Cause } from "@tradepost/messaging";
import type { TenantDatabase, TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { FIRST_ORDER_NUMBER } from "./insert-order-statement.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import { type OrderInput, orderInput } from "./order-input.ts";
import { isTwin, writeOrder } from "./write-order.ts";

// With 4 the database always has a statement to run, and validating the next orders does not block other requests.
const CONCURRENCY = 4;

// Two imports, or an import and an order, may wait for each other's supplied numbers or external ids. Postgres then aborts one
// of them. It also aborts an import that writes an external id at the same moment as an order.
const TRIES_MAX = 20;
const DEADLOCK_DETECTED = "40P01";

export interface WrittenImport {
  /** 200 with `{index, success, data | error}` for each order, in the order of the request. */
  readonly response: ApiResponse;
  /** The channel of each order that was placed. */
  readonly channels: readonly OrderInput["channel"][];
}

/**
 * @throws only what fails the whole import.
 */
export async function writeImport(
  tenant: TenantDatabase<Tables>,
  orders: readonly unknown[],
  idempotencyKey: IdempotencyKey | null,
  cause: Cause,
): Promise<WrittenImport> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tenant.transaction((tx) => writeAll(tx, orders, idempotencyKey, cause));
    } catch (error) {
      const isDeadlock = (error as { code?: unknown }).code === DEADLOCK_DETECTED;
      if (!(isDeadlock || isTwin(error)) || tries === TRIES_MAX) throw error;
    }
  }
}

async function writeAll(
  tx: TenantStatements<Tables>,
  orders: readonly unknown[],
  idempotencyKey: IdempotencyKey | null,
  cause: Cause,
): Promise<WrittenImport> {
  const locking = tx.query({ text: LOCK_ORDER_NUMBERS, values: [tx.tenantId] });
  const channels: OrderInput["channel"][] = [];
  const writing = mapConcurrently(orders, CONCURRENCY, (json, index) =>
    writeOne(tx, json, { index, idempotencyKey, cause, onPlaced: (channel) => channels.push(channel) }),
  );
  const [results] = await Promise.all([writing, locking]);
  const response = ok(results);
  await insertRecord(tx, idempotencyKey, response);
  return { response, channels };
}

async function writeOne(
  tx: TenantStatements<Tables>,
  json: unknown,
  {
    index,
    idempotencyKey,
    cause,
    onPlaced,
  }: {
    index: number;
    idempotencyKey: IdempotencyKey | null;
    cause: Cause;
    onPlaced: (channel: OrderInput["channel"]) => void;
  },
) {
  try {
    if (typeof json !== "object" || json === null || Array.isArray(json)) {
      throw invalid([{ path: `orders[${index}]`, message: "must be an object" }]);
    }
    const input = validateNew(orderInput, json);
    const data = await writeOrder(tx, input, { idempotencyKey, recordsResponse: false }, cause);
    onPlaced(input.channel);
    return { index, success: true, data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { index, success: false, error: errorBody(error, cause.requestId) };
  }
}

// The row stays locked until the commit, so a tenant's imports follow one another and cannot deadlock over generated numbers.
const LOCK_ORDER_NUMBERS = `
  insert into order_counters as counter (tenant_id, next_number) values ($1, ${FIRST_ORDER_NUMBER})
  on conflict (tenant_id) do update set next_number = counter.next_number`;
