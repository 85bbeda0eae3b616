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
  type Tables,
} from "@tradepost/webhooks/operate";
import type { Kysely } from "kysely";
import { z } from "zod";
import { type AccountingInput, FAULT_IDS_MAX } from "./account-for-events.ts";
import { type Addresses, SERVICES, type ServiceName } from "./addresses.ts";
import type { ComparedDatabases, ServiceState } from "./compare-databases.ts";
import { findReturnedCustomers } from "./erased-customers.ts";
import { askManagement } from "./management.ts";
import { findUndeleted } from "./tenant-data/find-undeleted.ts";
import { onService, withDatabase } from "./with-database.ts";

// The broker's counts are up to 5 seconds old, so they include every message that was published this long ago.
const GRACE_MS = 10_000;
// The time that one run of the sweep takes after its grace period, with a large backlog.
const SWEEP_TURN_MS = 30_000;
const SWEEP_GRACE_MS = 30_000;
// A million events take seconds; more may take longer.
const STATEMENT_TIMEOUT_MS = 5 * 60 * 1_000;

const queue = z.object({ messages: z.number().default(0) });

/** Throws if a database, the broker or its queue `webhooks.events` cannot be reached, because nothing can be verified then. */
export async function readAccountingInput(addresses: Addresses, since: Date): Promise<AccountingInput> {
  const { databases } = addresses;
  const read = <Result>(url: string, work: (db: Kysely<Tables>) => Promise<Result>) =>
    withDatabase(url, work, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const range = { types: subscribableTypes, since, graceMs: GRACE_MS, idsMax: FAULT_IDS_MAX };
  const offered = await read(databases.webhooks, readOffered);
  const ofOrders = { ...range, types: offered.types, since: offered.since > since ? offered.since : since };
  const producers: { isReplaying: boolean; tenants: Commits[] }[] = await Promise.all([
    read(databases.orders, (db) => readCommits(db, ofOrders)),
    read(databases.content, (db) => readCommits(db, range)),
  ]);
  const queued = await countMessages(addresses, EVENTS_QUEUE);
  const [webhooks, stuck] = await read(databases.webhooks, (db) =>
    Promise.all([
      readDeliveryTotals(db, since, FAULT_IDS_MAX),
      findStuck(db, { since, overdueMs: sweepGraceMs() + SWEEP_TURN_MS, idsMax: FAULT_IDS_MAX }),
    ]),
  );
  return { producers, queued, webhooks, stuck };
}

/** The number of messages in a queue, unacknowledged ones included, as of a few seconds ago. */
export async function countMessages({ amqpUrl, managementUrl }: Addresses, name: string): Promise<number> {
  const vhost = encodeURIComponent(vhostOf(amqpUrl));
  const found = await askManagement(managementUrl, `/queues/${vhost}/${encodeURIComponent(name)}`);
  return queue.parse(found).messages;
}

/** Uses the webhooks service's setting if this command runs in its environment. */
function sweepGraceMs(): number {
  return Number(process.env.WEBHOOKS_SWEEP_GRACE_MS ?? SWEEP_GRACE_MS) || SWEEP_GRACE_MS;
}

const AUDIT_QUEUE = "gateway.audit";
const options = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };

export async function readOtherDatabases(
  addresses: Addresses,
): Promise<Omit<ComparedDatabases, "webhooks" | "producers">> {
  const { databases } = addresses;
  const stateOf = async (service: ServiceName): Promise<ServiceState> => {
    return { service, ...(await withDatabase(databases[service], readRestoreState)) };
  };
  const services = await Promise.all(SERVICES.map(stateOf));
  const counters = await onService(databases, "orders", readCounters, options);
  const subscriptions = await onService(databases, "webhooks", listSubscriptionIds, options);
  const isAuditQueueEmpty = (await countMessages(addresses, AUDIT_QUEUE)) === 0;
  const fates = await onService(databases, "gateway", readSubscriptionFates, options);
  const tenants = await onService(databases, "gateway", listTenants, options);
  return {
    undeleted: await findUndeleted(addresses),
    returned: await findReturnedCustomers(databases),
    services,
    subscriptions,
    fates: isAuditQueueEmpty ? fates : null,
    tenantIds: tenants.map(({ id }) => id),
    tenantIdsInUse: [...counters.keys(), ...subscriptions.map(({ tenantId }) => tenantId)],
  };
}
