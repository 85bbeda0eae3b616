// Imports orders. Each succeeds or fails by itself, and all commit in one transaction with the import's idempotency record
// (interface §4).
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  errorBody,
  type FieldFault,
  type IdempotencyKey,
  inFlightLimit,
  invalid,
  ok,
  shaped,
  type Validate,
  validateNew,
} from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { elementTexts, keepTexts, memberTexts } from "@tradepost/json";
import { type Cause, QUOTA_EXCEEDED } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { yieldPeriodically } from "@tradepost/runtime";
import { z } from "zod";
import type { Tables, Tenant } from "../tables.ts";
import { type OrderInput, orderInput, VERBATIM_FIELDS } from "./order-input.ts";
import { lockOrderNumbers } from "./order-numbers.ts";
import { order } from "./order-schema.ts";
import { placeOrderIn, violatesExternalId } from "./place-order.ts";

export interface ImportContext {
  readonly tenants: TenantDatabases<Tables>;
  /** The relay then publishes the events at once. */
  readonly onCommit: () => void;
  readonly countPlaced: (channel: OrderInput["channel"]) => void;
  readonly onRefused: (error: ApiError) => void;
}

const ORDERS_MAX = 100;

const importBody = z.strictObject({
  orders: z
    .array(z.unknown(), "must be a list of orders")
    .min(1, "must contain at least 1 order")
    .max(ORDERS_MAX, `must contain at most ${ORDERS_MAX} orders`),
});

export const importQuery = z.strictObject({
  dryRun: shaped(
    z
      .enum(["true", "false"], "must be true or false")
      .default("false")
      .transform((value) => value === "true"),
    z.boolean().default(false),
  ).describe(
    "True to validate and price the orders only: nothing is written, no number is taken, and the `Idempotency-Key` is not used up.",
  ),
});

/**
 * Returns the orders with the texts of their objects, but unvalidated, because each fails by itself. Throws the faults of the list
 * together with `otherFaults`, which are outside the body.
 */
export function importInput(
  json: unknown,
  otherFaults: readonly FieldFault[],
  validate: Validate,
  text: string,
): readonly unknown[] {
  const parsed = importBody.safeParse(json, { reportInput: true });
  if (!parsed.success || otherFaults.length > 0) validate(importBody, json, otherFaults);
  const orders = parsed.data?.orders ?? [];
  const texts = elementTexts(memberTexts(text).get("orders") ?? "[]");
  for (const [index, orderText] of texts.entries()) keepTexts(orderText, orders[index], VERBATIM_FIELDS);
  return orders;
}

// An import holds a connection and locks its tenant's order numbers for seconds. So a tenant's imports run one at a time and wait
// before they take a connection, and all together use at most 4 of 16.
const LIMITS = {
  inProgressMax: 4,
  inProgressOfTenantMax: 1,
  // A waiting import holds a parsed body of about 10 MB.
  waitingMax: 16,
  waitingOfTenantMax: 8,
  // Less than the gateway's timeout of 30 s.
  waitMsMax: 25_000,
};
const RETRY_AFTER = { headers: { "retry-after": "5" } };

export function importOrders({ tenants, onCommit, countPlaced, onRefused }: ImportContext) {
  const acquire = inFlightLimit(LIMITS, (exhausted) =>
    exhausted === "tenant"
      ? new ApiError("rate_limited", "Too many imports of this tenant are in progress.", RETRY_AFTER)
      : new ApiError("service_unavailable", "Too many imports are in progress; try again.", RETRY_AFTER),
  );
  const write = withIdempotencyKey(
    tenants,
    async (tenant, request: ApiRequest<readonly unknown[], undefined>) => {
      const { idempotencyKey, body } = request;
      const { response, channels, caused } = await inTransaction(tenant, (tx) =>
        writeAll(tx, body, { idempotencyKey, cause: request, onRefused }),
      );
      request.caused.push(...caused);
      onCommit();
      for (const channel of channels) countPlaced(channel);
      return response;
    },
  );
  return async ({ query, ...request }: ApiRequest<readonly unknown[], z.output<typeof importQuery>>) => {
    const release = await acquire(request.principal.tenantId, request.raw.socket);
    try {
      if (query.dryRun) {
        const tried = { idempotencyKey: null, cause: { ...request, caused: [] }, onRefused };
        return await tryImport(tenants.of(request.principal.tenantId), request.body, tried);
      }
      return await write({ ...request, query: undefined });
    } finally {
      release();
    }
  };
}

export function importResult() {
  const index = z.int().min(0).max(99).describe("The place of the order in the request, from 0");
  const error = z.strictObject({
    code: z.enum([
      "validation_error",
      "not_found",
      "customer_erased",
      "order_exists",
      "order_number_taken",
      "quota_exceeded",
    ]),
    message: z.string(),
    requestId: z.string(),
    details: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe("Every field at fault, with its path in the order"),
    orderId: z.uuid().optional().describe("The order that exists"),
    total: z.number().optional().describe("The total that is not `expectedTotal`"),
    quota: QUOTA_EXCEEDED.fields.quota.optional(),
  });
  return z
    .discriminatedUnion("success", [
      z.strictObject({ index, success: z.literal(true), data: order }),
      z.strictObject({ index, success: z.literal(false), error }),
    ])
    .meta({ id: "ImportResult", description: "The order that was placed, or why it was not." });
}

// Keeps the database busy, while other requests run between the validations.
const CONCURRENCY = 4;

// Two imports, or an import and an order, may deadlock over supplied numbers or external ids. Postgres then aborts one, as it
// aborts an import that writes an external id at the same moment as an order.
const TRIES_MAX = 20;
const DEADLOCK_DETECTED = "40P01";

const ROLLED_BACK = new Error("a dry run is rolled back");

interface WriteOptions extends Pick<ImportContext, "onRefused"> {
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cause: Cause;
}

/** Writes and rolls back, so the response is the one that the import would get. */
async function tryImport(
  tenant: Tenant,
  orders: readonly unknown[],
  options: WriteOptions,
): Promise<ApiResponse> {
  const tried: ApiResponse[] = [];
  try {
    return await inTransaction(tenant, async (tx) => {
      tried.push((await writeAll(tx, orders, options)).response);
      throw ROLLED_BACK;
    });
  } catch (error) {
    const response = tried.at(-1);
    if (error === ROLLED_BACK && response !== undefined) return response;
    throw error;
  }
}

async function inTransaction<Result>(tenant: Tenant, work: (tx: Tenant) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tenant.transaction(work);
    } catch (error) {
      const isDeadlock = (error as { code?: unknown }).code === DEADLOCK_DETECTED;
      if (!(isDeadlock || violatesExternalId(error)) || tries === TRIES_MAX) throw error;
    }
  }
}

async function writeAll(tx: Tenant, orders: readonly unknown[], options: WriteOptions) {
  const yieldToOthers = yieldPeriodically();
  const waiting = [...orders.entries()];
  const results: Awaited<ReturnType<typeof writeOne>>[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, json] = next;
      results[index] = await writeOne(tx, json, index, options);
      await yieldToOthers();
    }
  };
  const working = [lockOrderNumbers(tx), ...Array.from({ length: CONCURRENCY }, work)];
  // The first error says whether to try again: it aborts the transaction, and later errors only follow from that.
  await Promise.all(working).finally(() => waiting.splice(0));
  const response = ok(results.map(({ shown }) => shown));
  await insertRecord(tx, options.idempotencyKey, response);
  const channels = results.flatMap(({ channel }) => channel ?? []);
  return { response, channels, caused: results.flatMap(({ caused }) => caused) };
}

async function writeOne(
  tx: Tenant,
  json: unknown,
  index: number,
  { idempotencyKey, cause, onRefused }: WriteOptions,
) {
  try {
    if (typeof json !== "object" || json === null || Array.isArray(json)) {
      throw invalid([{ path: `orders[${index}]`, message: "must be an object" }]);
    }
    const input = validateNew(orderInput, json);
    const recording = { idempotencyKey, recordsResponse: false };
    const caused: string[] = [];
    const placed = await placeOrderIn(tx, input, recording, { ...cause, caused });
    return { shown: { index, success: true, data: placed.json }, channel: input.channel, caused };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    onRefused(error);
    return {
      shown: { index, success: false, error: errorBody(error, cause.requestId) },
      channel: null,
      caused: [],
    };
  }
}
