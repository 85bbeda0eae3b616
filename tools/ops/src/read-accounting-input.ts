// Reads the input of `ops verify`: the producers' databases first, then the queue, then the webhooks service's database.
// In any other order an event in transit would look lost.

import { readRestoreState } from "@tradepost/change-feed";
import { subscribableTypes } from "@tradepost/event-catalog";
import { listTenants, readSubscriptionFates } from "@tradepost/gateway/operate";
import { type Commits, readCommits } from "@tradepost/messaging";
import { readCounters } from "@tradepost/orders/operate";
import { vhostOf } from "@tradepost/runtime";
import {
  EVENTS_QUEUE,
  findStuck,
  listSubscriptionIds,
  readDeliveryTotals,
  readOffered,
} from "@tradepost/webhooks/operate";
import { z } from "zod";
import { type AccountingInput, FAULT_IDS_MAX } from "./account-for-events.ts";
import { SERVICES, type ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import type { ComparedDatabases } from "./compare-databases.ts";
import { findReturnedCustomers } from "./erased-customers.ts";
import { askManagement } from "./management.ts";
import { findUndeleted } from "./tenant-data/find-undeleted.ts";

// The broker's counts are up to 5 seconds old, so they include every message that was published this long ago.
const GRACE_MS = 10_000;
// The time that one run of the sweep takes after its grace period, with a large backlog.
const SWEEP_TURN_MS = 30_000;
const SWEEP_GRACE_MS = 30_000;
// A million events take seconds; more may take longer.
const OPTIONS = { statementTimeoutMs: 5 * 60 * 1_000 };

const queue = z.object({ messages: z.number().default(0) });

/** Throws if a database, the broker or its queue `webhooks.events` cannot be reached, because nothing can be verified then. */
export async function readAccountingInput(operator: Operator, since: Date): Promise<AccountingInput> {
  const { on } = operator;
  const range = { types: subscribableTypes, since, graceMs: GRACE_MS, idsMax: FAULT_IDS_MAX };
  const offered = await on("webhooks", readOffered, OPTIONS);
  const ofOrders = { ...range, types: offered.types, since: offered.since > since ? offered.since : since };
  const producers: { isReplaying: boolean; tenants: Commits[] }[] = await Promise.all([
    on("orders", (db) => readCommits(db, ofOrders), OPTIONS),
    on("content", (db) => readCommits(db, range), OPTIONS),
  ]);
  const queued = await countMessages(operator, EVENTS_QUEUE);
  const overdueMs = sweepGraceMs() + SWEEP_TURN_MS;
  const [webhooks, stuck] = await Promise.all([
    on("webhooks", (db) => readDeliveryTotals(db, since, FAULT_IDS_MAX), OPTIONS),
    on("webhooks", (db) => findStuck(db, { since, overdueMs, idsMax: FAULT_IDS_MAX }), OPTIONS),
  ]);
  return { producers, queued, webhooks, stuck };
}

/** The number of messages in a queue, unacknowledged ones included, as of a few seconds ago. */
export async function countMessages({ addresses }: Operator, name: string): Promise<number> {
  const { amqpUrl, managementUrl } = addresses();
  const vhost = encodeURIComponent(vhostOf(amqpUrl));
  const found = await askManagement(managementUrl, `/queues/${vhost}/${encodeURIComponent(name)}`);
  return queue.parse(found).messages;
}

/** Uses the webhooks service's setting if this command runs in its environment. */
function sweepGraceMs(): number {
  return Number(process.env.WEBHOOKS_SWEEP_GRACE_MS ?? SWEEP_GRACE_MS) || SWEEP_GRACE_MS;
}

const AUDIT_QUEUE = "gateway.audit";

export async function readOtherDatabases(
  operator: Operator,
): Promise<Omit<ComparedDatabases, "webhooks" | "producers">> {
  const { on } = operator;
  const stateOf = async (service: ServiceName) => ({ service, ...(await on(service, readRestoreState)) });
  const services = await Promise.all(SERVICES.map(stateOf));
  const counters = await on("orders", readCounters, OPTIONS);
  const subscriptions = await on("webhooks", listSubscriptionIds, OPTIONS);
  const isAuditQueueEmpty = (await countMessages(operator, AUDIT_QUEUE)) === 0;
  const fates = await on("gateway", readSubscriptionFates, OPTIONS);
  const tenants = await on("gateway", listTenants, OPTIONS);
  return {
    undeleted: await findUndeleted(operator),
    returned: await findReturnedCustomers(operator),
    services,
    subscriptions,
    fates: isAuditQueueEmpty ? fates : null,
    tenantIds: tenants.map(({ id }) => id),
    tenantIdsInUse: [...counters.keys(), ...subscriptions.map(({ tenantId }) => tenantId)],
  };
}
