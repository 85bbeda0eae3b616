// Adds to the totals the differences that changes of orders have recorded, and the figures that counters have moved out, so that
// statistics read few rows. One statement moves them, so a reader sees each difference once.
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import type { Pool } from "pg";

const PERIOD_MS = 1_000;
// Differences that are not yet added count in every read.
const IDLE_PERIOD_MS = 10_000;
const BATCH_ROWS_MAX = 5_000;

/** `pool` acts as the worker's role. */
export function startFoldingDeltas(pool: Pool, logger: Logger) {
  return repeatOrWarn(logger, "the figures of orders could not be summed; retrying", PERIOD_MS, async () => {
    const { rows } = await pool.query<{ moved: number }>(FOLD);
    const moved = rows[0]?.moved ?? 0;
    if (moved === BATCH_ROWS_MAX) return 0;
    return moved > 0 ? PERIOD_MS : IDLE_PERIOD_MS;
  });
}

// In a fixed order, so that two replicas cannot deadlock.
const FOLD = `
  with moved as (
    delete from order_deltas
     where (tenant_id, id) in (select tenant_id, id from order_deltas limit ${BATCH_ROWS_MAX} for update skip locked)
    returning *
  ), summed as (
    insert into order_totals as sum (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
    select tenant_id, at, currency, sum(orders), sum(total), sum(paid), sum(refunded), sum(to_fulfill), sum(unpaid),
           sum(payment_failed), sum(to_deliver)
      from moved group by tenant_id, at, currency order by tenant_id, at, currency
    on conflict (tenant_id, at, currency) do update
       set orders = sum.orders + excluded.orders, total = sum.total + excluded.total, paid = sum.paid + excluded.paid,
           refunded = sum.refunded + excluded.refunded, to_fulfill = sum.to_fulfill + excluded.to_fulfill,
           unpaid = sum.unpaid + excluded.unpaid, payment_failed = sum.payment_failed + excluded.payment_failed,
           to_deliver = sum.to_deliver + excluded.to_deliver
  )
  select count(*)::int as moved from moved`;
