// `--resend`: redelivers a delivery. Any client that leases from the listener may get it.
import type { Tradepost } from "../../create-client.ts";
import { TradepostError } from "../../tradepost-error.ts";
import { UsageError } from "../usage-error.ts";

/** Redelivers a delivery of a listener. Resolves with the listener's id. Rejects with a UsageError if the id is not such a delivery. */
export async function repeatDelivery(client: Tradepost, deliveryId: string): Promise<string> {
  try {
    const { subscriptionId } = await client.deliveries.get(deliveryId);
    await client.listeners.redeliver(subscriptionId, deliveryId);
    return subscriptionId;
  } catch (error) {
    if (error instanceof TradepostError && error.code === "not_found")
      throw new UsageError(`${deliveryId} is not a delivery of a listener.`);
    throw error;
  }
}
