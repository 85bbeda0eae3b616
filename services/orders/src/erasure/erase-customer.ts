// The step that erases the customer's own values and their events.
import { dataMap } from "@tradepost/data-map";
import { outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { findCustomer } from "../customer/customer.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { addEvent, eraseEvents } from "./erase-events.ts";
import { assignmentsOf } from "./erased-values.ts";
import { FIRST_ORDER, type RunningErasure, type Step } from "./erasure-store.ts";

export async function eraseCustomer(
  tx: TenantStatements<Tables>,
  { customerId, cause }: RunningErasure,
): Promise<Step> {
  await tx.query({ text: ERASE, values: [tx.tenantId, customerId] });
  const customer = await findCustomer(tx, { id: customerId });
  if (customer === null) throw new Error("the customer of the erasure does not exist");
  const eventCount = await eraseEvents(tx, [customerId]);
  await addEvent(tx, outboxRow("customer.erased", customerId, { customer }, cause), customer.updatedAt);
  return { next: { step: "orders", after: FIRST_ORDER }, rows: 1 + eventCount };
}

const ERASE = `
  update customers
     set ${assignmentsOf(dataMap.orders.customers.person, () => "null")}, version = version + 1,
         updated_at = ${NEXT_UPDATED_AT}
   where tenant_id = $1 and id = $2`;
