// Looks after a consumer that the broker may have forgotten: a queue that is deleted and at once declared again by
// another cancels nobody on some brokers (seen on 3.10), and feeds nobody.
import { sleep } from "@tradepost/runtime";
import type { Channel } from "amqplib";
import type { Generation } from "./supervise-connection.ts";

const LOOK_EVERY_MS = 5_000;
// An exchange that is deleted takes its bindings with it, and tells no consumer.
const LOOKS_A_DECLARATION = 6;

/**
 * Ends the generation where the queue has no consumer, or where messages lay ready at two looks in a row while this
 * consumer had nothing in hand and was given nothing in between. Resolves when the generation ends or `stopping` is
 * aborted; never rejects. Declares everything again every 30 s. `takenCount` only grows; `inHandCount` is of now.
 */
export async function watchConsumer(options: {
  channel: Channel;
  generation: Generation;
  stopping: AbortSignal;
  queue: string;
  declare: () => Promise<void>;
  takenCount: () => number;
  inHandCount: () => number;
}): Promise<void> {
  const { channel, generation, stopping, queue, declare, takenCount, inHandCount } = options;
  const over = AbortSignal.any([generation.signal, stopping]);
  for (let idleSince: number | null = null, looks = 1; ; looks += 1) {
    await sleep(LOOK_EVERY_MS, over);
    if (over.aborted) return;
    // Where there is no queue the channel closes, and with it the generation ends.
    const found = await channel.checkQueue(queue).catch(() => null);
    if (over.aborted || found === null) return;
    const isUnfed = found.messageCount > 0 && inHandCount() === 0;
    const isForgotten = found.consumerCount === 0 || (isUnfed && idleSince === takenCount());
    if (isForgotten) return generation.end("the broker has forgotten the consumer");
    idleSince = isUnfed ? takenCount() : null;
    if (looks % LOOKS_A_DECLARATION > 0) continue;
    try {
      await declare();
    } catch (error) {
      if (!over.aborted) generation.end(Error.isError(error) ? error.message : String(error));
    }
  }
}
