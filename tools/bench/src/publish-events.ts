// Publishes `redirect.added` events as the content service's relay does, to make work for the webhooks service.
import { startPublisher } from "@tradepost/messaging";
import { createLogger } from "@tradepost/runtime";
import { v7 as uuidv7 } from "uuid";
import type { MeasuredPlatform } from "./platform.ts";

const BATCH_SIZE = 500;

export type EventPublisher = Awaited<ReturnType<typeof startEventPublisher>>;

export async function startEventPublisher({ broker }: MeasuredPlatform) {
  const publisher = startPublisher({
    url: broker.amqpUrl,
    name: "bench",
    logger: createLogger("bench", "silent"),
    declare: async () => {},
  });
  await publisher.whenUp();
  return {
    /** Resolves to the event's id, which is also its redirect's id, when the broker has confirmed the event. Rejects otherwise. */
    publish: async (tenantId: string) => {
      const message = messageOf(tenantId);
      const outcome = await publisher.publish(message);
      if (outcome !== "confirmed") throw new Error(`an event was ${outcome}`);
      return message.messageId;
    },
    stop: publisher.stop,
  };
}

/** The events belong to the tenants in turn. Resolves when the broker has confirmed all of them. */
export async function publishEvents(
  platform: MeasuredPlatform,
  count: number,
  tenantIds: readonly string[],
): Promise<void> {
  const publisher = await startEventPublisher(platform);
  for (let sent = 0; sent < count; sent += BATCH_SIZE) {
    const numbers = Array.from({ length: Math.min(BATCH_SIZE, count - sent) }, (_, index) => sent + index);
    await Promise.all(
      numbers.map((number) => publisher.publish(tenantIds[number % tenantIds.length] as string)),
    );
  }
  await publisher.stop();
}

function messageOf(tenantId: string) {
  const id = uuidv7();
  const type = "redirect.added";
  const event = {
    ...{ id, type, tenant_id: tenantId, occurred_at: new Date().toISOString(), request_id: id },
    actor: { type: "api_key", id, name: "Bench" },
    data: {
      redirect: {
        id,
        from: `/bench/${id}`,
        to: "/shop",
        type: 301,
        createdAt: new Date().toISOString(),
      },
    },
  };
  return {
    ...{ exchange: "platform.events", routingKey: type, messageId: id, type, mandatory: true },
    headers: { tenant_id: tenantId },
    content: Buffer.from(JSON.stringify(event)),
  };
}
