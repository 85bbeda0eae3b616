import { startConsumer } from "@tradepost/messaging";
import { retryWhileUnavailable } from "@tradepost/postgres";
import type { Logger, Tracer } from "@tradepost/runtime";
import type { Databases } from "../databases.ts";
import { noteOffered } from "../offered-types.ts";
import type { Sending } from "../sending/sending.ts";
import { type Broker, EVENTS_QUEUE, POISON_QUEUE } from "../topology.ts";
import { createFanOut } from "./fan-out.ts";
import { eventHandler } from "./receive-events.ts";

// The database is the bottleneck of fan-out, so more unacknowledged events would only mean more redeliveries after a crash. An
// event may have 2 MiB, so these take up to 128 MiB.
const EVENTS_UNACKED_MAX = 64;

export async function startIntake(options: {
  databases: Pick<Databases, "main" | "deliveries">;
  broker: Broker;
  more: readonly string[];
  sending: Pick<Sending, "untilFree" | "admit" | "lockMs">;
  onLeasable: (listenerIds: readonly string[]) => void;
  tracer: Tracer;
  logger: Logger;
}) {
  const { databases, broker, more, sending, onLeasable, tracer, logger } = options;
  const { pool, replicated } = databases.deliveries;
  await retryWhileUnavailable(logger, () => noteOffered(databases.main.db, more));
  const events = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.fan-out",
    queue: EVENTS_QUEUE,
    poisonQueue: POISON_QUEUE,
    prefetch: EVENTS_UNACKED_MAX,
    handle: eventHandler({ pool, fanOut: createFanOut({ pool, sending, onLeasable }), more, logger, tracer }),
  });
  return { isUp: events.isUp, stopConsuming: events.stop };
}
