// The door of this wing: receives events, and finds those that should have arrived.
import { startConsumer } from "@tradepost/messaging";
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import type { Databases } from "../databases.ts";
import { type Broker, EVENTS_QUEUE, POISON_QUEUE, TALLIES_QUEUE } from "../delivery/delivery.ts";
import type { Sending } from "../sending/sending.ts";
import { tallyHandler } from "./compare-tally.ts";
import { fanOutHandler } from "./fan-out.ts";
import { startMissingEvents } from "./missing-events.ts";

// The database is the bottleneck of fan-out, so more unacknowledged events would only mean more redeliveries after a crash. An
// event may have 2 MiB, so these take up to 128 MiB.
const EVENTS_UNACKED_MAX = 64;

export function startIntake(options: {
  databases: Pick<Databases, "main" | "deliveries">;
  broker: Broker;
  sending: Pick<Sending, "scheduler" | "lockMs" | "start" | "run">;
  onLeasable: (listenerIds: readonly string[]) => void;
  settings: Settings;
  metrics: Metrics;
  tracer: Tracer;
  logger: Logger;
}) {
  const { databases, broker, sending, onLeasable, settings, metrics, tracer, logger } = options;
  const { pool, replicated } = databases.deliveries;
  const { scheduler, lockMs, start, run } = sending;
  // How long a missing event may be in progress.
  const graceMs = settings.WEBHOOKS_SWEEP_GRACE_MS;
  const events = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.fan-out",
    queue: EVENTS_QUEUE,
    poisonQueue: POISON_QUEUE,
    prefetch: EVENTS_UNACKED_MAX,
    handle: fanOutHandler({ pool, scheduler, lockMs, start, onWaiting: run, onLeasable, logger, tracer }),
  });
  const missing = startMissingEvents({
    ...{ db: databases.main.db, graceMs, logDays: settings.WEBHOOKS_LOG_DAYS, metrics, logger },
  });
  const tallies = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.tally",
    // The consumer of `webhooks.events` declares all queues again.
    declaresAgain: false,
    queue: TALLIES_QUEUE,
    prefetch: 1,
    handle: tallyHandler({ db: databases.deliveries.db, onMissing: missing.wake, logger }),
  });
  return {
    isUp: events.isUp,
    stopConsuming: events.stop,
    stop: async () => {
      await tallies.stop();
      await missing.stop();
    },
  };
}
