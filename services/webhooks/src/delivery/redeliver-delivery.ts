import { ApiError, notFound } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { recordAudit } from "../record-audit.ts";
import type { Tables } from "../tables.ts";
import { findDelivery } from "./delivery-store.ts";
import { restartDeliveries } from "./restart-deliveries.ts";

/** Returns the delivery after its restart. Throws 404 if it does not exist, 409 if its subscription has been deleted. */
export async function redeliverDelivery(tx: Tenant<Tables>, id: string, cause: Cause) {
  const before = await findDelivery(tx, id);
  if (before === null) throw notFound("delivery");
  const restarted = await restartDeliveries(tx, before.subscriptionId, [id]);
  if (restarted === null) throw new ApiError("conflict", "The subscription of this delivery was deleted.");
  const target = { type: "webhook_delivery", id } as const;
  await recordAudit(tx, { action: "webhook_delivery.redelivered", target, changes: {} }, cause);
  return (await findDelivery(tx, id)) ?? before;
}
