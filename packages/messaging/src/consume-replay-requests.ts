// Requests a replay when a consumer asks for one, and when the relay's own queue is missing, because then the broker has lost its
// data (`replay.ts`).
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { startConsumer } from "./consumer.ts";
import { declareOnce } from "./declare-once.ts";
import { REPLAY_EXCHANGE } from "./shared-exchanges.ts";
import { declareParkingQueue } from "./topology.ts";

export function startReplayRequestConsumer(
  options: Pick<Parameters<typeof startConsumer>[0], "url" | "replicated" | "logger" | "metrics"> & {
    service: string;
    pool: Pool;
    exchanges: readonly string[];
    onRecorded: () => void;
  },
) {
  const { service, pool, exchanges, onRecorded } = options;
  const queue = `${service}.replay`;
  return startConsumer({
    ...options,
    name: queue,
    queue,
    prefetch: 1,
    declare: async (channel, connection) => {
      await channel.checkExchange(REPLAY_EXCHANGE);
      await declareOnce(channel, connection, {
        queue,
        declare: async (isNew) => {
          await declareParkingQueue(channel, queue);
          if (isNew) failPoint("replay-queue.declared");
          for (const exchange of exchanges) await channel.bindQueue(queue, REPLAY_EXCHANGE, exchange);
          if (isNew) failPoint("replay-queue.bound");
        },
        onNew: async () => {
          await pool.query(RECORD_REPLAY);
          failPoint("replay-queue.recorded");
          onRecorded();
        },
      });
    },
    handle: async () => {
      await pool.query(RECORD_REPLAY);
      failPoint("replay.requested");
      onRecorded();
      return "ack";
    },
  });
}

// Each request gets a larger `until`, so that a replay in progress starts over. Relays of the previous version read `after_…`.
const RECORD_REPLAY = `
  insert into replay (until) values (clock_timestamp())
  on conflict (only_one) do update
     set until = greatest(excluded.until, replay.until + interval '1 microsecond'),
         after_published_at = excluded.after_published_at, after_id = excluded.after_id`;
