// Puts poison messages back into the queues that they came from.
import { type QueuedMessage, startPublisher } from "@tradepost/messaging";
import { createLogger, newId, withDeadline } from "@tradepost/runtime";
import { reach } from "./unreachable.ts";

const CONNECT_TIMEOUT_MS = 5_000;

export interface Redriven {
  readonly matched: number;
  readonly redriven: number;
}

/**
 * `each` passes every message to `move`, and removes it if that returns true, which means that the broker has confirmed it in its
 * old queue. If the command ends in between, the message is in both queues, and consumers recognise the second copy by its id. A
 * message that is rejected again returns to the end of the poison queue, where `each` does not see it.
 *
 * @throws Unreachable without a broker, and an Error if it does not accept a message. The remaining messages stay in the poison queue.
 */
export async function redrivePoison(
  amqpUrl: string,
  each: (move: (source: string | null, message: QueuedMessage) => Promise<boolean>) => Promise<unknown>,
): Promise<Redriven> {
  const publisher = startPublisher({
    url: amqpUrl,
    name: "ops",
    logger: createLogger("ops", "silent"),
    declare: async () => {},
  });
  let [matched, redriven] = [0, 0];
  try {
    await reach(amqpUrl, () => withDeadline(publisher.whenUp(), CONNECT_TIMEOUT_MS, "no response"));
    await each(async (source, { content, properties }) => {
      matched += 1;
      if (source === null) return false;
      const outcome = await publisher.publish({
        // The default exchange routes to every queue by its name.
        ...{ exchange: "", routingKey: source, mandatory: true, content },
        messageId: (properties.messageId as string | undefined) ?? newId(),
        ...(properties.type !== undefined && { type: properties.type as string }),
        headers: headersOf(properties.headers ?? {}),
      });
      if (outcome === "unavailable" || outcome === "refused")
        throw new Error(`The broker did not accept a message. ${redriven} were put back; the rest stays.`);
      if (outcome !== "confirmed") return false;
      redriven += 1;
      return true;
    });
    return { matched, redriven };
  } finally {
    await publisher.stop();
  }
}

/** Leaves out the broker's own headers, so that the broker counts deliveries and deaths from zero. */
function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | number | boolean] =>
        !entry[0].startsWith("x-") && ["string", "number", "boolean"].includes(typeof entry[1]),
    ),
  );
}
