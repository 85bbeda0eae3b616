// Changes and deletes subscriptions and replaces their secrets. A change that affects open deliveries requests a reconciliation
// in its transaction (`reconciliations.ts`).
import { isDeepStrictEqual } from "node:util";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { ApiError, invalid, requireMatch } from "@tradepost/http";
import { type NotNull, type Selectable, sql, type UpdateObject } from "kysely";
import { ownHeaders, type Sealing, SealingError } from "../endpoint/endpoint.ts";
import { ruleForType } from "../event-filter.ts";
import { closeNoticesOf } from "../notices/notices.ts";
import { recordAudit } from "../record-audit.ts";
import type { Conditions } from "../route-context.ts";
import type { Tables, Tenant } from "../tables.ts";
import { requestReconciliation } from "./reconciliation-store.ts";
import { inheritStanding, isSameOrigin } from "./standing-store.ts";
import type { SubscriptionChange } from "./subscription-input.ts";
import { type Computed, SHOWN, subscriptionOf } from "./subscription-store.ts";

type Subscription = Selectable<Tables["subscriptions"]> & Computed;

/**
 * After the commit no delivery of a paused subscription is sent; a resumed subscription's are sent oldest first. A change to the same
 * values writes nothing. `changeOf` gets the subscription as shown.
 * @throws 412 `version_mismatch`; 422 for a header without a value to keep, and for each header without its value if the URL changes
 * its origin.
 */
export async function changeSubscription(
  tx: Tenant,
  id: string,
  changeOf: (stored: object) => SubscriptionChange,
  { sealing, more }: { sealing: Sealing; more: readonly string[] },
  { ifMatch, cause }: Conditions,
) {
  const before = await lockSubscription(tx, id);
  if (before === undefined) return null;
  const change = changeOf(subscriptionOf(before));
  requireOffered(change.events, more, before.events);
  requireMatch(ifMatch, before.version);
  const changed = changedFields(before, change);
  const headers = changedHeaders(before, change, sealing);
  const changes = { ...changed, ...(headers && { headers: ownHeaders.masked(headers.header_names) }) };
  if (Object.keys(changes).length === 0) return subscriptionOf(before);
  const { filter, maxPerSecond, maxInFlight, ...columns } = changed;
  const after = await updateSubscription(tx, id, {
    ...columns,
    ...headers,
    ...(filter !== undefined && { filter: filter && JSON.stringify(filter) }),
    ...(maxPerSecond !== undefined && { max_per_second: maxPerSecond }),
    ...(maxInFlight !== undefined && { max_in_flight: maxInFlight }),
    ...(changed.active !== undefined && { held: false }),
    // The hold does not apply to the new address.
    ...(changed.url !== undefined && { held_until: null }),
  });
  if (changed.url !== undefined) await closeNoticesOf(tx, id, "endpoint_gone");
  if (!isSameOrigin(before.url, after.url)) await inheritStanding(tx, id, after.url);
  if (before.active !== after.active) await requestReconciliation(tx, id);
  await recordAudit(tx, "webhook_subscription.updated", targetOf(id), cause, changes);
  return subscriptionOf(after);
}

/** @throws 422 for each type of orders that is neither offered nor subscribed to. */
function requireOffered(
  events: readonly string[] = [],
  more: readonly string[],
  before: readonly string[],
): void {
  const faults = events.flatMap((type, index) =>
    !isOfOrders(type) || more.includes(type) || before.includes(type)
      ? []
      : [{ path: `events[${index}]`, message: ruleForType(type, more) }],
  );
  if (faults.length > 0) throw invalid(faults);
}

type ChangedFields = Omit<SubscriptionChange, "headers">;

function changedFields(before: Subscription, { headers: _, ...change }: SubscriptionChange): ChangedFields {
  const stored = { ...subscriptionOf(before), active: before.active || before.held };
  // As JSON, a filter has no undefined fields, like the stored filter.
  const wanted = JSON.parse(JSON.stringify(change)) as ChangedFields;
  const isChanged = (name: string, value: unknown) =>
    !isDeepStrictEqual(value, stored[name as keyof typeof stored]);
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => isChanged(name, value)));
}

function changedHeaders(
  before: Subscription,
  { url = before.url, headers: change }: SubscriptionChange,
  sealing: Sealing,
): { header_names: string[]; headers_sealed: Buffer | null } | null {
  if (!isSameOrigin(before.url, url)) ownHeaders.requireValues(before.header_names, change);
  if (change === undefined) return null;
  const { tenant_id, id } = before;
  // Headers that cannot be opened must all be set again.
  const current = openedOrNull(() => sealing.openHeaders(before.headers_sealed, tenant_id, id));
  const headers = ownHeaders.keepValues(change ?? [], current ?? []);
  if (isDeepStrictEqual(headers, current)) return null;
  return {
    header_names: headers.map(({ name }) => name),
    headers_sealed: sealing.sealHeaders(headers, tenant_id, id),
  };
}

function openedOrNull<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}

/** Its open deliveries are cancelled; their log remains. Throws 412 `version_mismatch`. */
export async function deleteSubscription(tx: Tenant, id: string, { ifMatch, cause }: Conditions) {
  const before = await lockSubscription(tx, id);
  if (before === undefined) return false;
  requireMatch(ifMatch, before.version);
  await requestReconciliation(tx, id);
  await closeNoticesOf(tx, id);
  await tx.db.deleteFrom("subscriptions").where("tenant_id", "=", tx.tenantId).where("id", "=", id).execute();
  await recordAudit(tx, "webhook_subscription.deleted", targetOf(id), cause);
  return true;
}

/**
 * Signs with the new secret from now on, and with the current one too for `overlapHours`. With `force` an earlier secret stops
 * signing.
 * @throws 412 `version_mismatch`; without `force` 409 `rotation_in_progress` while an earlier secret still signs, because the
 * receiver may know only that one.
 */
export async function replaceSecret(
  tx: Tenant,
  id: string,
  secret: { sealed: Buffer; preview: string; overlapHours: number; force: boolean },
  sealing: Sealing,
  { ifMatch, cause }: Conditions,
) {
  const { overlapHours, force } = secret;
  const before = await lockSubscription(tx, id);
  if (before === undefined) return null;
  requireMatch(ifMatch, before.version);
  if (before.signs_until !== null && !force) {
    throw new ApiError(
      "rotation_in_progress",
      `The previous secret signs until ${before.signs_until.toISOString()}. "force": true ends it now.`,
    );
  }
  // Without its sealing key, a secret signs nothing.
  const isOpened = () =>
    openedOrNull(() => sealing.openSecret(before.secret_sealed, tx.tenantId, id)) !== null;
  const hasOverlap = overlapHours > 0 && isOpened();
  const after = await updateSubscription(tx, id, {
    secret_sealed: secret.sealed,
    secret_preview: secret.preview,
    previous_secret_sealed: hasOverlap ? before.secret_sealed : null,
    previous_secret_until: hasOverlap ? sql<Date>`now() + ${overlapHours} * interval '1 hour'` : null,
  });
  const changes = { overlapHours, ...(force && { force }) };
  await recordAudit(tx, "webhook_subscription.secret_rotated", targetOf(id), cause, changes);
  return subscriptionOf(after);
}

function updateSubscription(tx: Tenant, id: string, change: UpdateObject<Tables, "subscriptions">) {
  return tx.db
    .updateTable("subscriptions")
    .set(change)
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .returningAll()
    .returning(SHOWN)
    .$narrowType<{ url: NotNull }>()
    .executeTakeFirstOrThrow();
}

function lockSubscription(tx: Tenant, id: string) {
  return tx.db
    .selectFrom("subscriptions")
    .selectAll()
    .select(SHOWN)
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", id)
    .where("url", "is not", null)
    .$narrowType<{ url: NotNull }>()
    .forUpdate()
    .executeTakeFirst();
}

function targetOf(id: string) {
  return { type: "webhook_subscription", id } as const;
}
