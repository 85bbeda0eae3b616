// Takes a whole import of orders to its one answer: each order a success or a failure of its own, all of them in one
// transaction with the record of the answer, so that the call as a whole happens once.
import { ApiError, type ApiRequest, type ApiResponse, errorBody, ok, validate } from "@tradepost/http";
import type { TenantDatabase, TenantStatements } from "@tradepost/postgres";
import { insertRecord } from "../idempotency/record-store.ts";
import type { Tables } from "../tables.ts";
import { fewAtOnce } from "./few-at-once.ts";
import { NUMBER_FIRST } from "./insert-order.ts";
import { orderInput } from "./order-input.ts";
import { writeOrder } from "./place-order.ts";

type Request = ApiRequest<readonly unknown[], undefined>;

// Enough that the database never waits for this process, and so few that validating and sending them blocks nobody.
const ORDERS_AT_ONCE = 4;

// Two imports, or an import and an order, may wait for each other's supplied numbers; Postgres then ends one of them.
const TRIES_MAX = 5;
const DEADLOCK = "40P01";

/**
 * Out: 200 with `{index, success, data | error}` for each order, in their order. An order goes the way that a single one
 * goes (`insert-order`), a few at a time. Throws only what concerns the whole call.
 */
export async function placeOrders(tenant: TenantDatabase<Tables>, request: Request): Promise<ApiResponse> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tenant.transaction((within) => placeAll(within, request));
    } catch (error) {
      const wasEnded = (error as { code?: unknown }).code === DEADLOCK;
      if (!wasEnded || tries === TRIES_MAX) throw error;
    }
  }
}

// Held from the start, so that imports of one tenant follow one another and never wait for each other in a circle.
const HOLD_NUMBERS = `
  insert into order_counters as counter (tenant_id, next_number) values ($1, ${NUMBER_FIRST})
  on conflict (tenant_id) do update set next_number = counter.next_number`;

async function placeAll(within: TenantStatements<Tables>, request: Request): Promise<ApiResponse> {
  const held = within.query({ text: HOLD_NUMBERS, values: [within.tenantId] });
  const placing = fewAtOnce(request.body, ORDERS_AT_ONCE, (json, index) =>
    placeOne(within, json, index, request),
  );
  const [results] = await Promise.all([placing, held]);
  const answer = ok(results);
  if (request.idempotencyKey !== null) await insertRecord(within, request.idempotencyKey, answer);
  return answer;
}

async function placeOne(within: TenantStatements<Tables>, json: unknown, index: number, request: Request) {
  try {
    const input = validate(orderInput, json);
    const data = await writeOrder(within, input, request, { keepsAnswer: false });
    return { index, success: true, data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { index, success: false, error: errorBody(error, request.requestId) };
  }
}
