import { ApiError } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { newestFirst } from "@tradepost/postgres";
import { type NotNull, type Selectable, sql } from "kysely";
import { ownHeaders, type Sealing } from "../endpoint/endpoint.ts";
import { INACTIVE_EVENTS, NOT_OF_ORDERS_TEXT, type Sight } from "../offered-types.ts";
import { recordAudit } from "../record-audit.ts";
import { waitingOf } from "../statement-parts.ts";
import type { Tables, Tenant } from "../tables.ts";
import { inheritStanding } from "./standing-store.ts";
import type { SubscriptionInput, SubscriptionsQuery } from "./subscription-input.ts";

const SUBSCRIPTIONS_MAX = 50;
/** One success makes it `healthy` again. */
export const FAILING_AFTER_FAILURES = 5;

// Without the sealed secrets and headers, which the role that reads for tenants may not select.
const COLUMNS = [
  "id",
  "name",
  "url",
  "events",
  "filter",
  "active",
  "secret_preview",
  "header_names",
  "max_per_second",
  "max_in_flight",
  "payload",
  "payload_version",
  "created_at",
  "version",
  "consecutive_failures",
  "last_success_at",
  "last_failure_at",
  "last_error",
  "held_until",
  "down_since",
] as const satisfies (keyof Tables["subscriptions"])[];

/** Null if the previous secret does not sign, by the database's clock. */
const SIGNS_UNTIL =
  sql<Date | null>`case when previous_secret_until > now() then previous_secret_until end`.as("signs_until");

export const waiting = (bounds: Parameters<typeof waitingOf>[2] = {}) =>
  sql<number>`${sql.raw(waitingOf("subscriptions.tenant_id", "subscriptions.id", bounds))}`.as("waiting");

/** The columns for callers who see everything. */
export const SHOWN = [SIGNS_UNTIL, waiting(), INACTIVE_EVENTS] as const;

const shownTo = ({ hidesOrders }: Sight) =>
  [SIGNS_UNTIL, waiting(hidesOrders ? { where: NOT_OF_ORDERS_TEXT } : {}), INACTIVE_EVENTS] as const;

export interface Computed {
  readonly url: string;
  readonly signs_until: Date | null;
  readonly waiting: number;
  readonly inactive_events: string[];
}

type SubscriptionRow = Pick<Selectable<Tables["subscriptions"]>, (typeof COLUMNS)[number]> & Computed;

/** Creations of a tenant's subscriptions and listeners wait for each other and for its suspension. */
export async function lockCreations({ db, tenantId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(db);
}

/** Throws 409 `subscription_limit` if the tenant has 50. */
export async function insertSubscription(
  tx: Tenant,
  { id, sealed, preview }: { readonly id: string; readonly sealed: Buffer; readonly preview: string },
  input: SubscriptionInput,
  sealing: Pick<Sealing, "sealHeaders">,
  cause: Cause,
) {
  const { tenantId } = tx;
  const { name, url, events, headers = [], filter = null, payload = "full" } = input;
  const { maxPerSecond = null, maxInFlight = null } = input;
  await lockCreations(tx);
  const { count } = await tx.db
    .selectFrom("subscriptions")
    .select((is) => is.fn.countAll<string>().as("count"))
    .where("tenant_id", "=", tenantId)
    .where("url", "is not", null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= SUBSCRIPTIONS_MAX) {
    throw new ApiError("subscription_limit", `A tenant can have ${SUBSCRIPTIONS_MAX} subscriptions.`);
  }
  const headerNames = headers.map((header) => header.name);
  const row = await tx.db
    .insertInto("subscriptions")
    .values({
      tenant_id: tenantId,
      id,
      name,
      url,
      events,
      payload,
      secret_sealed: sealed,
      secret_preview: preview,
      filter: filter && JSON.stringify(filter),
      header_names: headerNames,
      headers_sealed: sealing.sealHeaders(headers, tenantId, id),
      max_per_second: maxPerSecond,
      max_in_flight: maxInFlight,
    })
    .returningAll()
    .returning(SHOWN)
    .$narrowType<{ url: NotNull }>()
    .executeTakeFirstOrThrow();
  await inheritStanding(tx, id, url);
  const changes = {
    ...{ name, url, events },
    ...(filter !== null && { filter }),
    ...(payload !== "full" && { payload }),
    ...(headers.length > 0 && { headers: ownHeaders.masked(headerNames) }),
    ...(maxPerSecond !== null && { maxPerSecond }),
    ...(maxInFlight !== null && { maxInFlight }),
  };
  await recordAudit(tx, "webhook_subscription.created", { type: "webhook_subscription", id }, cause, changes);
  return subscriptionOf(row);
}

export async function findSubscription(tenant: Tenant, id: string, sight: Sight = {}) {
  const row = await subscriptionsOf(tenant, sight).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : subscriptionOf(row);
}

function subscriptionsOf({ db, tenantId }: Tenant, sight: Sight) {
  return db
    .selectFrom("subscriptions")
    .select(COLUMNS)
    .select(shownTo(sight))
    .where("tenant_id", "=", tenantId)
    .where("url", "is not", null)
    .$narrowType<{ url: NotNull }>();
}

export async function listSubscriptions(tenant: Tenant, query: SubscriptionsQuery, sight: Sight) {
  const { active } = query;
  const all = subscriptionsOf(tenant, sight);
  const matching = active === undefined ? all : all.where("active", "=", active);
  const rows = await newestFirst(matching, query).execute();
  return rows.map(subscriptionOf);
}

export function subscriptionOf(row: SubscriptionRow) {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    inactiveEvents: row.inactive_events,
    filter: row.filter,
    active: row.active,
    headers: ownHeaders.masked(row.header_names),
    signingSecretPreview: row.secret_preview,
    previousSecretUntil: row.signs_until,
    health: {
      status: healthStatus(row),
      consecutiveFailures: row.consecutive_failures,
      lastSuccessAt: row.last_success_at,
      lastFailureAt: row.last_failure_at,
      lastError: row.last_error,
      downSince: row.down_since,
      heldUntil: row.held_until !== null && row.held_until.getTime() > Date.now() ? row.held_until : null,
      waiting: row.waiting,
    },
    maxPerSecond: row.max_per_second,
    maxInFlight: row.max_in_flight,
    payload: row.payload,
    payloadVersion: row.payload_version,
    createdAt: row.created_at,
    version: row.version,
  };
}

export function healthStatus(row: Pick<SubscriptionRow, "consecutive_failures" | "down_since">) {
  if (row.down_since !== null) return "down";
  return row.consecutive_failures >= FAILING_AFTER_FAILURES ? "failing" : "healthy";
}
