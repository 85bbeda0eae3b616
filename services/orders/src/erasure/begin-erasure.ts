// Begins an erasure: from then on the customer cannot be changed. Nothing is erased before the customer is in the lists of erased
// customers of two databases, so that no restore of one brings a person back unnoticed.
import { requireMatch } from "@tradepost/http";
import { auditRow, type Cause } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { type Erasure, FIRST_STEP, findErasure } from "./erasure-store.ts";

/**
 * Returns the erasure, perhaps an earlier one; null without such a customer. Waits for orders of the customer that are being written.
 * @throws 412 `version_mismatch`.
 */
export async function beginErasure(
  tx: Tenant,
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
  const event = auditRow(entry, customerId, cause);
  await tx.db.insertInto("outbox").values(event).execute();
  await sql`
    with marked as (
      update customers set erased_at = now() where tenant_id = ${tx.tenantId} and id = ${customerId}
      returning ${sql.raw(DIGEST)} as digest
    ), listed as (
      insert into erased_customers (customer_digest) select digest from marked
      on conflict do nothing
    )
    insert into erasures (tenant_id, id, customer_id, actor, request_id, traceparent, audit_event_id, progress)
    values (${tx.tenantId}, ${id}, ${customerId}, ${event.actor}, ${event.request_id}, ${event.traceparent}, ${event.event_id},
            ${JSON.stringify(FIRST_STEP)})`.execute(tx.db);
  return { id, customerId, status: "running", rows: 0 };
}

export const DIGEST = "sha256(uuid_send(customers.tenant_id) || uuid_send(customers.id))";
