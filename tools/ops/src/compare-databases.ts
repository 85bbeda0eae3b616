// Compares the four databases with each other: the part of `ops verify` that finds the traces of restores. Pure.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals } from "@tradepost/webhooks/operate";
import { FAULT_IDS_MAX, type Fault, missingIds, textsOf } from "./account-for-events.ts";

interface ServiceState {
  readonly service: string;
  /** The database has another identity than when its latest restore was recorded. */
  readonly hasMoved: boolean;
  readonly restores: readonly { readonly at: Date; readonly restoredTo: Date | null }[];
}

interface Subscription {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

export interface ComparedDatabases {
  /** Read before the others, so that every event in it was committed by then. */
  readonly webhooks: readonly DeliveryTotals[];
  readonly producers: readonly { readonly tenants: readonly Commits[] }[];
  readonly services: readonly ServiceState[];
  readonly subscriptions: readonly Subscription[];
  /** The latest creation or deletion of each subscription in the audit log; null while entries are in transit. */
  readonly fates: readonly (Subscription & { readonly action: string; readonly at: Date })[] | null;
  readonly tenantIds: readonly string[];
  /** Tenants with data in a service other than the gateway. */
  readonly tenantIdsInUse: readonly string[];
  /** Tenants that were deleted and exist again, with the services that have them. */
  readonly undeleted: readonly { readonly tenantId: string; readonly services: readonly string[] }[];
  /** Customers who were erased and have personal data again. */
  readonly returned: readonly { readonly tenantId: string; readonly customerId: string }[];
}

export type Comparison = ReturnType<typeof compareDatabases>;

// Allows for ids that are made before the commit, and by other clocks.
const MARGIN_MS = 60_000;
const DELETED = "webhook_subscription.deleted";

export function compareDatabases(input: ComparedDatabases) {
  const restores = input.services.flatMap(({ service, restores }) =>
    restores.flatMap(({ at, restoredTo }) => (restoredTo === null ? [] : [{ service, at, restoredTo }])),
  );
  const unknown = input.webhooks.flatMap(({ tenantId, known }) =>
    unknownEvents(tenantId, known, input.producers).map((id) => ({ tenantId, id })),
  );
  const restoreOf = (id: string) => {
    const at = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    return restores.find((restore) => PRODUCERS.has(restore.service) && hasLost(restore, at));
  };
  const ofWebhooks = restores.filter(({ service }) => service === "webhooks");
  const returned = input.returned.map(({ tenantId, customerId: id }) => ({ tenantId, id }));
  const unexplained = unknown.filter(({ id }) => restoreOf(id) === undefined);
  return {
    faults: [
      ...unrecordedRestores(input.services),
      ...faultsOf("event_unknown", unexplained),
      ...subscriptionFaults(input, ofWebhooks),
      ...tenantFaults(input),
      ...faultsOf("erased_returned", returned),
    ],
    /** The restores that lost commits, with the number of events from the lost period that the webhooks service has. */
    restores: restores.map((restore) => ({
      ...restore,
      lostEvents: unknown.filter(({ id }) => restoreOf(id) === restore).length,
    })),
  };
}

function hasLost({ restoredTo, at }: { restoredTo: Date; at: Date }, time: number): boolean {
  return time >= restoredTo.getTime() - MARGIN_MS && time <= at.getTime() + MARGIN_MS;
}

const PRODUCERS: ReadonlySet<string> = new Set(["orders", "content"]);

function unknownEvents(
  tenantId: string,
  known: Buffer,
  producers: ComparedDatabases["producers"],
): readonly string[] {
  const commits = producers.flatMap(({ tenants }) =>
    tenants.filter((tenant) => tenant.tenantId === tenantId),
  );
  const committed = commits.flatMap((of) => [of.published, of.justPublished, of.unpublished]);
  return textsOf(committed.reduce((left, ids) => missingIds(left, ids), known));
}

function unrecordedRestores(services: readonly ServiceState[]): Fault[] {
  return services
    .filter(({ hasMoved }) => hasMoved)
    .map(({ service }) => ({ kind: "restore_unrecorded", tenantId: null, count: 1, ids: [service] }));
}

/** A subscription that was created in a lost period is not a fault, because `ops restored` names it. */
function subscriptionFaults(
  { subscriptions, fates }: ComparedDatabases,
  restores: readonly { restoredTo: Date; at: Date }[],
): Fault[] {
  if (fates === null) return [];
  const existing = new Set(subscriptions.map(({ subscriptionId }) => subscriptionId));
  const wrong = fates.filter(
    ({ subscriptionId, action, at }) =>
      existing.has(subscriptionId) === (action === DELETED) &&
      (action === DELETED || !restores.some((restore) => hasLost(restore, at.getTime()))),
  );
  const rows = (isDeleted: boolean) =>
    wrong
      .filter(({ action }) => (action === DELETED) === isDeleted)
      .map(({ tenantId, subscriptionId: id }) => ({ tenantId, id }));
  const missing = faultsOf("subscription_missing", rows(false));
  return [...missing, ...faultsOf("subscription_undeleted", rows(true))];
}

function tenantFaults({ tenantIds, tenantIdsInUse, undeleted }: ComparedDatabases): Fault[] {
  const explained = new Set([...tenantIds, ...undeleted.map(({ tenantId }) => tenantId), CANARY_TENANT_ID]);
  const missing = [...new Set(tenantIdsInUse)]
    .filter((id) => !explained.has(id))
    .sort()
    .map((id): Fault => ({ kind: "tenant_missing", tenantId: id, count: 1, ids: [id] }));
  const deleted = undeleted.map(({ tenantId, services }): Fault => {
    return { kind: "tenant_undeleted", tenantId, count: services.length, ids: services };
  });
  return [...missing, ...deleted];
}

function faultsOf(kind: Fault["kind"], found: readonly { tenantId: string; id: string }[]): Fault[] {
  return [...Map.groupBy(found, ({ tenantId }) => tenantId)].map(([tenantId, rows]) => {
    const ids = rows.map(({ id }) => id).sort();
    return { kind, tenantId, count: rows.length, ids: ids.slice(0, FAULT_IDS_MAX) };
  });
}
