// Reads and reconciles the results of a run until nothing is missing any more.
import { execute } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { Environment } from "./environment.ts";
import type { ChaosPlatform } from "./platform.ts";
import { type CommittedEvent, type Counts, reconcile } from "./reconcile.ts";
import type { Traffic } from "./traffic.ts";

const POLL_MS = 500;

/**
 * Empties the observers, so that they hold only this run. All commits after `since` belong to the run. Returns the counters, which continue
 * over all runs.
 */
export function startRun(
  { platform, webhookObserver, eventObserver }: Environment<ChaosPlatform>,
  since: Date,
) {
  eventObserver.events.length = 0;
  webhookObserver.webhooks.length = 0;
  return {
    since,
    badSignatures: webhookObserver.badSignatureCount(),
    unexpectedExits: countUnexpectedExits(platform),
  };
}

interface Run {
  readonly before: ReturnType<typeof startRun>;
  readonly repairedAt: number;
}

/** Resolves when nothing is missing any more, or after `timeoutMs`. */
export async function settle(
  environment: Environment<ChaosPlatform>,
  traffic: Traffic,
  run: Run & { timeoutMs: number },
): Promise<Counts> {
  const deadline = Date.now() + run.timeoutMs;
  let counts = await readCounts(environment, traffic, run);
  while (counts.lost > 0 && Date.now() < deadline) {
    await sleep(POLL_MS);
    counts = await readCounts(environment, traffic, run);
  }
  return counts;
}

/** While the traffic goes on, what is under way counts as lost. */
export async function readCounts(
  { platform, webhookObserver, eventObserver }: Environment<ChaosPlatform>,
  { operations, failedRequests }: Traffic,
  { before, repairedAt }: Run,
): Promise<Counts> {
  return reconcile({
    ...(await readCommittedData(platform.databases, before.since)),
    ...{ operations, failedRequests, repairedAt },
    observedEvents: eventObserver.events,
    webhooks: webhookObserver.webhooks,
    badSignatures: webhookObserver.badSignatureCount() - before.badSignatures,
    unexpectedExits: countUnexpectedExits(platform) - before.unexpectedExits,
  });
}

function countUnexpectedExits(platform: ChaosPlatform): number {
  const exits = platform.processNames.map((name) => platform.process(name).unexpectedExits());
  return exits.reduce((sum, count) => sum + count, 0);
}

// Every order must have an event, so both are read.
const ORDERS = "select id::text from orders where created_at >= $1";

// This query runs twice a second, and some events are large, so it leaves out their data.
const EVENTS = `
  select event_id::text as "eventId", type, aggregate_id::text as "aggregateId", occurred_at as "occurredAt"
    from (select event_id, type, aggregate_id, occurred_at from outbox
          union all
          select event_id, type, aggregate_id, occurred_at from published_events) as event
   where type = any($1)`;

async function readCommittedData(databases: { orders: string; content: string }, since: Date) {
  const [committedOrders, orderEvents, redirectEvents] = await Promise.all([
    execute<{ id: string }>(databases.orders, ORDERS, [since]),
    execute<CommittedEvent>(databases.orders, EVENTS, [["order.placed"]]),
    execute<CommittedEvent>(databases.content, EVENTS, [["redirect.added", "redirect.removed"]]),
  ]);
  const allCommittedEvents = [...orderEvents, ...redirectEvents];
  const committedEvents = allCommittedEvents.filter(({ occurredAt }) => occurredAt >= since);
  return { committedOrders, committedEvents, allCommittedEvents };
}
