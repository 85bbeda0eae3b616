// How a loss becomes known: who asks for a replay, and who hears it. See `replay.ts` for why this order covers every event.
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Channel, ChannelModel } from "amqplib";
import type { Pool } from "pg";
import { startConsumer } from "./consumer.ts";
import { declareOnce } from "./declare-once.ts";
import { checkSharedExchange, REPLAY_EXCHANGE } from "./shared-exchanges.ts";
import { declareKeptQueue, declareWorkQueue } from "./topology.ts";

/**
 * Declares a queue that takes events from an exchange. Where it is new, what it held is lost, or it never had any: once it
 * is bound, a replay is asked for.
 */
export async function declareFedQueue(
  channel: Channel,
  connection: ChannelModel,
  fed: { queue: string; poisonQueue: string; exchange: string; routingKeys: readonly string[] },
): Promise<void> {
  const { queue, exchange } = fed;
  await checkSharedExchange(channel, exchange);
  await declareOnce(channel, connection, {
    queue,
    declare: async (isNew) => {
      await declareWorkQueue(channel, connection, queue, fed.poisonQueue);
      if (isNew) failPoint("fed-queue.declared");
      for (const key of fed.routingKeys) await channel.bindQueue(queue, exchange, key);
      if (isNew) failPoint("fed-queue.bound");
    },
    onNew: async () => {
      await askForReplay(connection, exchange);
      failPoint("fed-queue.replay-asked");
    },
  });
}

/** Resolves once every relay's queue has the request on disk. Those that have no queue yet notice that by themselves. */
async function askForReplay(connection: ChannelModel, exchange: string): Promise<void> {
  const channel = await connection.createConfirmChannel();
  channel.on("error", () => undefined);
  await checkSharedExchange(channel, REPLAY_EXCHANGE);
  channel.publish(REPLAY_EXCHANGE, exchange, Buffer.from("{}"), { persistent: true });
  await channel.waitForConfirms();
  await channel.close();
}

/** Hears requests for a replay, and notes the one that nobody asks for: when the relay's own queue is new. */
export function startHearingRequests(
  options: Pick<Parameters<typeof startConsumer>[0], "url" | "logger"> & {
    service: string;
    pool: Pool;
    exchange: string;
  },
) {
  const { service, pool, exchange, url, logger } = options;
  const queue = `${service}.replay`;
  return startConsumer({
    url,
    name: queue,
    logger,
    queue,
    prefetch: 1,
    declare: async (channel, connection) => {
      await checkSharedExchange(channel, REPLAY_EXCHANGE);
      await declareOnce(channel, connection, {
        queue,
        declare: async (isNew) => {
          await declareKeptQueue(channel, queue);
          if (isNew) failPoint("replay-queue.declared");
          await channel.bindQueue(queue, REPLAY_EXCHANGE, exchange);
          if (isNew) failPoint("replay-queue.bound");
        },
        onNew: async () => {
          await pool.query(NOTE_REPLAY);
          failPoint("replay-queue.noted");
        },
      });
    },
    handle: async () => {
      await pool.query(NOTE_REPLAY);
      failPoint("replay.requested");
      return "ack";
    },
  });
}

// Each note has a value of its own, so that a replay that is under way begins anew. The other two columns are read by the
// version before this one.
const NOTE_REPLAY = `
  insert into replay (until) values (clock_timestamp())
  on conflict (only_one) do update
     set until = greatest(excluded.until, replay.until + interval '1 microsecond'),
         after_published_at = excluded.after_published_at, after_id = excluded.after_id`;
