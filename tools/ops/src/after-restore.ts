// The work of `ops restored`. Each database is changed in one transaction, together with the record of the restore, so that a
// second run with the same moment changes nothing. A dry run rolls that transaction back.
import { readRestoreState, recordRestore } from "@tradepost/change-feed";
import {
  auditChain,
  type Tables as GatewayTables,
  listTenants,
  readSubscriptionEntries,
  type SubscriptionEntry,
  staffAccess,
} from "@tradepost/gateway/operate";
import { renewRecords } from "@tradepost/idempotency";
import {
  eraseAgain,
  findReturned,
  type LostOrder,
  type Tables as OrdersTables,
  type ReturnedCustomer,
  readCounters,
  readLostOrders,
  type SkippedNumbers,
  skipNumbers,
} from "@tradepost/orders/operate";
import { deleteAgain, findSubscriptions, type Tables as WebhooksTables } from "@tradepost/webhooks/operate";
import { type Kysely, sql, type Transaction } from "kysely";
import type { ServiceName } from "./addresses.ts";
import type { Operator } from "./arguments.ts";
import { addErased, readErased } from "./erased-customers.ts";
import { republish } from "./republish-events.ts";
import { withDatabase } from "./with-database.ts";

export interface RestoredOptions {
  /** Null if no commit is missing. */
  to: Date | null;
  lostFrom?: string;
  numbersAhead?: number;
  dryRun?: boolean;
  /** Proceeds even if nothing shows that the database was restored. */
  force?: boolean;
}

type Republished = Awaited<ReturnType<typeof republish>>;

interface Result {
  numbers?: SkippedNumbers[];
  /** Orders that only the later database has; null without a later database. */
  lostOrders?: LostOrder[] | null;
  /** Orders: the customers who were erased after the restored moment. The service erases them again when it starts. */
  erasedAgain?: ReturnedCustomer[];
  /** Webhooks: the changes of subscriptions after the restored moment. */
  subscriptions?: (SubscriptionEntry & { deletedAgain: boolean })[];
  /** Webhooks and gateway: the events that their producers published again; null in a dry run. */
  republished?: Republished | null;
  sessionsEnded?: number;
  setupLinksEnded?: number;
  keys?: Awaited<ReturnType<typeof staffAccess.endAccess>>["keys"];
  /** Gateway: the entries after which the audit logs go on. */
  auditHeads?: Awaited<ReturnType<typeof auditChain.readHeads>>;
}

export interface Report extends Result {
  readonly service: ServiceName;
  readonly restoredTo: Date | null;
  /** False if this restore was recorded before. */
  readonly recorded: boolean;
  readonly dryRun: boolean;
  readonly idempotencyRecords: number;
}

// Allows for rewriting the restored tables once, and for finding the newest event in all of them.
const OPTIONS = { statementTimeoutMs: 10 * 60 * 1_000 };
// Longer than the clocks differ, and than a transaction that writes an order is open.
const CLOCKS_DIFFER_MS = 60_000;
// An event waits for its consumer for less than this, unless the consumer was down.
const CONSUMED_WITHIN_MS = 60 * 60 * 1_000;

/** @throws an Error with a sentence for the operator, such as while the service is connected to a database that lost commits. */
export async function afterRestore(
  operator: Operator,
  service: ServiceName,
  options: RestoredOptions,
): Promise<Report> {
  const { databases } = operator.addresses();
  const { to, dryRun = false } = options;
  let idempotencyRecords = 0;
  let recorded = false;
  // The rows of each service are read with the types of its own tables.
  const work = (db: Kysely<Record<string, never>>) =>
    inTransaction(db, dryRun, async (tx): Promise<Result> => {
      if (to !== null) await refuseWhileConnected(tx, service);
      if (options.force !== true) await refuseUnlessRestored(tx, service);
      recorded = await recordRestore(tx, to);
      if (to === null) return {};
      if (recorded) idempotencyRecords = await renewRecords(tx, to);
      return await STEPS[service](operator, tx as never, { ...options, to, recorded });
    });
  const result = await withDatabase(databases[service], work, OPTIONS);
  const producer = PRODUCER_FOR[service];
  if (to !== null && producer !== undefined) {
    const since = new Date(to.getTime() - CONSUMED_WITHIN_MS);
    result.republished = dryRun ? null : await republish(operator, { service: producer, since });
  }
  return { service, restoredTo: to, recorded, dryRun, idempotencyRecords, ...result };
}

const PRODUCER_FOR: Partial<Record<ServiceName, ServiceName>> = {
  webhooks: "content",
  gateway: "webhooks",
};

type Step<Tables> = (
  operator: Operator,
  tx: Transaction<Tables>,
  options: RestoredOptions & { to: Date; recorded: boolean },
) => Promise<Result>;

const ofOrders: Step<OrdersTables> = async (operator, tx, { to, lostFrom, numbersAhead, recorded }) => {
  const tenants = await operator.on("gateway", listTenants, OPTIONS);
  const later = <Found>(work: (db: Kysely<OrdersTables>) => Promise<Found>): Promise<Found | null> =>
    lostFrom === undefined ? Promise.resolve(null) : withDatabase(lostFrom, work, OPTIONS);
  const since = new Date(to.getTime() - CLOCKS_DIFFER_MS);
  const lostOrders = await later((db) => readLostOrders(db, tx, since));
  const erased = await operator.on("gateway", readErased, OPTIONS);
  const erasedAgain = await findReturned(tx, erased);
  await eraseAgain(tx, erasedAgain);
  await addErased(tx, erased);
  if (!recorded) return { numbers: [], lostOrders, erasedAgain };
  const numbers = await skipNumbers(tx, {
    tenantIds: tenants.map(({ id }) => id),
    restoredTo: to,
    count: numbersAhead ?? null,
    known: (await later(readCounters)) ?? new Map(),
  });
  return { numbers, lostOrders, erasedAgain };
};

const ofWebhooks: Step<WebhooksTables> = async (operator, tx, { to }) => {
  const entries = await operator.on("gateway", (db) => readSubscriptionEntries(db, to), OPTIONS);
  const deleted = entries.filter(({ action }) => action === "webhook_subscription.deleted");
  const alive = await findSubscriptions(tx, deleted);
  for (const subscription of alive) await deleteAgain(tx, subscription);
  const aliveIds = new Set(alive.map(({ subscriptionId }) => subscriptionId));
  return {
    subscriptions: entries.map((entry) => ({
      ...entry,
      deletedAgain: entry.action === "webhook_subscription.deleted" && aliveIds.has(entry.subscriptionId),
    })),
  };
};

const ofGateway: Step<GatewayTables> = async (operator, tx, { recorded }) => {
  await addErased(tx, await operator.on("orders", readErased, OPTIONS));
  return { auditHeads: await auditChain.readHeads(tx), ...(recorded && (await staffAccess.endAccess(tx))) };
};

const STEPS = {
  orders: ofOrders,
  content: async (): Promise<Result> => ({}),
  webhooks: ofWebhooks,
  gateway: ofGateway,
};

async function refuseWhileConnected(tx: Transaction<Record<string, never>>, service: ServiceName) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity join pg_roles on pg_roles.oid = usesysid
     where datname = current_database() and pid <> pg_backend_pid() and not rolsuper and rolname <> current_user
       and pg_has_role(usesysid, ${`tradepost_${service}`}, 'member')`.execute(tx);
  if ((rows[0]?.count ?? 0) > 0)
    throw new Error(`The ${service} service is connected to its database. Stop every replica of it first.`);
}

/** Also accepts another moment once a restore is recorded, because the first moment may have been wrong. */
async function refuseUnlessRestored(tx: Transaction<Record<string, never>>, service: ServiceName) {
  const { restores, hasStayed } = await readRestoreState(tx);
  if (hasStayed && restores.length === 1)
    throw new Error(
      `Nothing shows that the database of ${service} was restored, moved or promoted. If it was restored without a recovery, as from a snapshot of a disk, add --force.`,
    );
}

class RolledBack extends Error {}

async function inTransaction<Tables, Found>(
  db: Kysely<Tables>,
  isRolledBack: boolean,
  work: (tx: Transaction<Tables>) => Promise<Found>,
): Promise<Found> {
  let found: Found | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      found = await work(tx);
      if (isRolledBack) throw new RolledBack();
      return found;
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
    return found as Found;
  }
}
