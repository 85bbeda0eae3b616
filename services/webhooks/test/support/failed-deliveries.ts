// Inserts many deliveries that failed for good, as the service stores them.
import { v7 as uuidv7 } from "uuid";
import type { Fixture } from "./use-webhooks.ts";

// Each has its own event. They are one second apart, the last one a second before the original.
const COPY_FAILED = `
  with original as (
    select delivery_log.*, reason
      from delivery_log join dead_letters on delivery_id = delivery_log.id
     where delivery_log.id = $1
  ), copy as (
    select copy_id, gen_random_uuid() as copied_event_id, original.*,
           completed_at - (cardinality($2::uuid[]) + 1 - position) * interval '1 s' as failed_at
      from original, unnest($2::uuid[]) with ordinality as copy (copy_id, position)
  ), copied_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data)
    select events.tenant_id, copied_event_id, events.type, occurred_at, request_id, data
      from events join copy on events.id = event_id
  ), letters as (
    insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                              created_at, failed_at, reason, published_at)
    select tenant_id, copy_id, subscription_id, copied_event_id, type, attempt_count, generation, created_at,
           failed_at, reason, now()
      from copy
  )
  insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                            created_at, completed_at)
  select tenant_id, copy_id, subscription_id, copied_event_id, type, status, attempt_count, generation, created_at,
         failed_at
    from copy`;

/**
 * Makes a subscription with `count` failed deliveries. Returns their ids, the oldest first. Afterwards the receiver responds
 * with 200, and `received` is empty.
 */
export async function failDeliveries(
  { webhooks, receiver, tenant }: Fixture,
  count = 1,
  event: Record<string, unknown> = {},
) {
  receiver.behave(() => 500);
  const failed = await tenant.deliver("/hook", "failed", event);
  const copies = Array.from({ length: count - 1 }, () => uuidv7());
  await webhooks.query(COPY_FAILED, failed.deliveryId, copies);
  receiver.behave(() => 200);
  receiver.received.length = 0;
  return { ...failed, deliveryIds: [...copies, failed.deliveryId] };
}
