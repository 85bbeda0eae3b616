// Refuses texts for an order of an erased customer (interface §20).
import { findCustomer } from "../customer/customer.ts";
import { customerErased } from "../customer-erased.ts";
import type { Tenant } from "../tables.ts";
import { stateOf } from "./lifecycle.ts";
import type { Order } from "./order-resource.ts";

/**
 * Call it after reading the version that a change depends on: an unseen erasure gives the order another version.
 * @throws 409 `customer_erased` with the order's state.
 */
export async function refuseErased(tenant: Tenant, order: Order): Promise<void> {
  const customer = await findCustomer(tenant, { id: order.customerId });
  if (customer?.erasedAt !== undefined) throw customerErased({ state: stateOf(order) });
}
