// Begins an erasure: from then on the customer cannot be changed. Nothing is erased before the lists of erased customers are in two
// places, so that no restore of one database brings a person back unnoticed.
import { requireMatch } from "@tradepost/http";
import { auditRow, type Cause } from "@tradepost/messaging";
import { namedStatement, type Tenant } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { eventColumns } from "../event-columns.ts";
import type { Tables } from "../tables.ts";
import { type Erasure, FIRST_STEP, findErasure } from "./erasure-store.ts";

/**
 * Returns the erasure, perhaps an earlier one; null without such a customer. Waits for orders of the customer that are being written.
 * @throws 412 `version_mismatch`.
 */
export async function beginErasure(
  tx: Tenant<Tables>,
  customerId: string,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<Erasure | null> {
  // Stronger than the lock of an order's foreign key: see erasure.ts.
  const customer = await tx.db
    .selectFrom("customers")
    .select("version")
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", customerId)
    .forUpdate()
    .executeTakeFirst();
  if (customer === undefined) return null;
  const earlier = await findErasure(tx, { customerId });
  if (earlier !== null) return earlier;
  requireMatch(ifMatch, customer.version);
  const id = newId();
  const entry = { action: "customer.erased", target: { type: "customer", id: customerId }, changes: {} };
  await tx.query(beginStatement({ id, event: auditRow(entry, customerId, cause) }));
  return { id, customerId, status: "running", rows: 0 };
}

export const DIGEST = "sha256(uuid_send(customers.tenant_id) || uuid_send(customers.id))";

const beginStatement = namedStatement<{ readonly id: string; readonly event: ReturnType<typeof auditRow> }>(
  `
  with marked as (
    update customers set erased_at = now() where tenant_id = $event.tenant_id and id = $event.aggregate_id
    returning ${DIGEST} as digest
  ), listed as (
    insert into erased_customers (customer_digest) select digest from marked
    on conflict do nothing
  ), audited as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    values ($event.event_id, $event.aggregate_id, $event.type, $event.tenant_id, $event.request_id, $event.traceparent, $event.actor,
            $event.data)
  )
  insert into erasures (tenant_id, id, customer_id, actor, request_id, traceparent, audit_event_id, progress)
  values ($event.tenant_id, $erasure.id, $event.aggregate_id, $event.actor, $event.request_id, $event.traceparent, $event.event_id,
          '${JSON.stringify(FIRST_STEP)}')`,
  { event: { ...eventColumns, data: ({ event }) => event.data }, erasure: { id: ({ id }) => id } },
);
