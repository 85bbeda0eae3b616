// The door of this wing: decides which deliveries start, makes the attempts, and settles them.
//
// The **scheduler**, in memory, decides how many attempts each endpoint may have at a time. A delivery that is **admitted** is inserted
// as claimed, and **dispatch** sends it and **settle** records the attempt. Other deliveries wait in Postgres, oldest first, and
// are claimed as attempts end, or by the **admission loop**. A delivery whose attempt failed waits in a retry queue, whose messages
// return through `webhooks.deliveries`; after its last attempt it becomes a dead letter in `webhooks.dead`. The **sweep** publishes
// again the messages that the broker lost, and deliveries that a dead process had claimed.
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { type Publisher, startConsumer } from "@tradepost/messaging";
import { retryWhileUnavailable, tenantOf } from "@tradepost/postgres";
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import type { Agent } from "undici";
import type { Settings } from "../config.ts";
import type { Databases } from "../databases.ts";
import { cancelDeliveries, deadLetters } from "../delivery/delivery.ts";
import type { AddressGuard, Sealing } from "../endpoint/endpoint.ts";
import { startNoticeClock } from "../notices/notices.ts";
import { type Broker, DELIVERIES_QUEUE } from "../topology.ts";
import { createAdmissions } from "./admission.ts";
import { type AdmissionLoop, startAdmissionLoop } from "./admission-loop.ts";
import { type Send, startSend } from "./attempt/send.ts";
import { lockTime } from "./attempt/started-delivery.ts";
import { type ProcessCount, startCountingProcesses } from "./count-processes.ts";
import { startDispatch } from "./dispatch.ts";
import { PATIENCE, type Patience } from "./next-attempt.ts";
import { type Claims, startRenewingClaims } from "./renew-claims.ts";
import { createRequeue, jobHandler } from "./requeue.ts";
import { createScheduler, type Scheduler } from "./scheduler/scheduler.ts";
import { countAttempts } from "./settle/observe-attempts.ts";
import { createSettle } from "./settle/settle.ts";
import { startSweep } from "./sweep.ts";
import { startWaitingBounds } from "./waiting-bounds.ts";

export { transitionAfter } from "./next-attempt.ts";
export type { EndpointState } from "./scheduler/endpoint-record.ts";
export { attemptSummary } from "./settle/observe-attempts.ts";
export { recordAttempts } from "./settle/record-attempts.ts";

export type Sending = Awaited<ReturnType<typeof startSending>>;

export interface SendingTimes {
  /** As long as an attempt may take by default. */
  readonly lockMs?: number;
  readonly patience?: Patience;
  readonly lookAtBoundsEveryMs?: number;
}

interface Options extends SendingTimes {
  settings: Settings;
  databases: Pick<Databases, "main" | "deliveries">;
  broker: Broker;
  publisher: Publisher;
  sealing: Sealing;
  guard: AddressGuard;
  canaryAgent: Agent | undefined;
  onNotice: () => void;
  metrics: Metrics;
  tracer: Tracer;
  logger: Logger;
}

// Each message costs the update of a row, in batches.
const JOBS_UNACKED_MAX = 200;

// Requests in progress may take 12 s.
const STOP_MS_MIN = 15_000;

/** Longer by the idle grace than attempts in progress may take (interface §9). */
export function stopTime({ WEBHOOKS_TIMEOUT_MS }: Pick<Settings, "WEBHOOKS_TIMEOUT_MS">): number {
  return Math.max(STOP_MS_MIN, lockTime(WEBHOOKS_TIMEOUT_MS));
}

export async function startSending(options: Options) {
  const { settings, publisher, metrics, logger } = options;
  const { lockMs = lockTime(settings.WEBHOOKS_TIMEOUT_MS) } = options;
  const { pool } = options.databases.main;
  await using starting = new AsyncDisposableStack();
  const started = <Part extends { stop(): Promise<void> }>(part: Part): Part =>
    starting.adopt(part, () => part.stop());
  const graceMs = settings.WEBHOOKS_SWEEP_GRACE_MS;
  started(startSweep({ pool, publisher, graceMs, lockMs, logger, metrics }));
  const { sealing, guard, canaryAgent } = options;
  const { WEBHOOKS_TIMEOUT_MS: timeoutMs, WEBHOOKS_CONCURRENCY: concurrency } = settings;
  const { send } = started(startSend({ timeoutMs, concurrency, sealing, guard, canaryAgent }));
  const processes = started(await retryWhileUnavailable(logger, () => startCountingProcesses(pool, logger)));
  const claims = started(startRenewingClaims({ pool, lockMs, logger }));
  const scheduler = schedulerOf(settings, processes);
  const { start, admissionLoop, finish } = startLoop(options, { scheduler, send, claims, lockMs });
  const bounds = {
    daysMax: settings.WEBHOOKS_WAITING_DAYS_MAX,
    deliveriesMax: settings.WEBHOOKS_WAITING_MAX,
  };
  const { onNotice, lookAtBoundsEveryMs: lookEveryMs } = options;
  started(startWaitingBounds({ pool, bounds, lookEveryMs, onNotice, metrics, logger }));
  started(startNoticeClock({ pool, bounds, lookEveryMs, onNotice, logger }));
  const jobs = consumeJobs(options, admissionLoop);
  const running = starting.move();
  return {
    ...createAdmissions({ scheduler, start, onWaiting: admissionLoop.run }),
    ...{ lockMs, send },
    wake: admissionLoop.wake,
    finish,
    isUp: jobs.isUp,
    stopConsuming: jobs.stop,
    stop: () => running.disposeAsync(),
  };
}

function schedulerOf(
  { WEBHOOKS_CONCURRENCY: slots, WEBHOOKS_HOST_PER_SECOND_MAX }: Settings,
  processes: ProcessCount,
): Scheduler {
  const hostPerSecondMax = WEBHOOKS_HOST_PER_SECOND_MAX || Number.POSITIVE_INFINITY;
  return createScheduler({
    slots,
    hostPerSecondMax: () => Math.max(1, Math.floor(hostPerSecondMax / processes.count)),
  });
}

/** Dispatch passes attempts to settle, which claims what may start next; the admission loop claims what no ending attempt starts. */
function startLoop(
  { settings, databases, publisher, patience = PATIENCE, onNotice, metrics, tracer, logger }: Options,
  parts: { scheduler: Scheduler; send: Send; claims: Claims; lockMs: number },
) {
  const { pool } = databases.deliveries;
  const { scheduler, send, claims, lockMs } = parts;
  const stopping = new AbortController();
  const settle = createSettle({
    ...{ pool, publisher, scheduler, lockMs, logger },
    schedule: settings.WEBHOOKS_RETRY_SCHEDULE,
    start: (claimed) => dispatch.start(claimed),
    onFree: () => admissionLoop.run(),
    ...{ onNotice, patience },
    countAttempt: countAttempts(metrics),
    stopping: stopping.signal,
  });
  const attemptMs = lockTime(settings.WEBHOOKS_TIMEOUT_MS);
  const dispatch = startDispatch({
    ...{ scheduler, send, settle, claims, attemptMs, logger, tracer },
    isOffered: (type) => !isOfOrders(type) || settings.WEBHOOKS_MORE_EVENTS.includes(type),
    cancel: ({ tenantId, subscriptionId, deliveryId }) =>
      tenantOf(databases.main.db, tenantId).transaction((tx) =>
        cancelDeliveries(tx, subscriptionId, [deliveryId], new Date()),
      ),
  });
  const { start } = dispatch;
  const admissionLoop = startAdmissionLoop({ pool, scheduler, lockMs, start, logger });
  return {
    start,
    admissionLoop,
    /** Stops claiming, and waits for the attempts in progress. Call it before `stop`. */
    finish: async () => {
      stopping.abort();
      await admissionLoop.stop();
      await dispatch.stop();
    },
  };
}

function consumeJobs({ databases, broker, logger }: Options, admissionLoop: AdmissionLoop) {
  const { main, deliveries } = databases;
  return startConsumer({
    ...{ ...broker, replicated: deliveries.replicated },
    name: "webhooks.dispatch",
    // The consumer of `webhooks.events` declares all queues again.
    declaresAgain: false,
    queue: DELIVERIES_QUEUE,
    prefetch: JOBS_UNACKED_MAX,
    handle: jobHandler({
      requeue: createRequeue(deliveries.pool, admissionLoop),
      redrive: (filter) => deadLetters.redrive(main.db, filter),
      logger,
    }),
  });
}
