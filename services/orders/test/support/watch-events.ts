import { captureMessages, until } from "@tradepost/testing";
import { countRows } from "./count-rows.ts";
import type { TestOrders } from "./test-orders.ts";

interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order: { readonly id: string; readonly orderNumber: string } };
}

/** Collects every event that the service publishes from now on. */
export async function watchEvents(orders: TestOrders) {
  const captured = await captureMessages(orders.amqpUrl, "#");
  const eventsOf = (tenantId: string): PublishedEvent[] =>
    captured.messages
      .filter(({ properties }) => properties.headers?.tenant_id === tenantId)
      .map(({ content }) => JSON.parse(content.toString()));
  return {
    /** Resolves with all events of a tenant once its outbox is empty and at least `countMin` have arrived. */
    all: (tenantId: string, countMin: number) =>
      until(`${countMin} events`, async () => {
        const isPublished = (await countRows(orders, "outbox", tenantId)) === 0;
        return isPublished && eventsOf(tenantId).length >= countMin && eventsOf(tenantId);
      }),
    stop: captured.stop,
  };
}
