// The deliveries that failed for good and wait for the operator: list, show, redrive, purge. The database is the
// truth about them; the queue `webhooks.dead` is tidied after it.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Which dead letters are meant; an empty filter means all of them. */
export interface DeadFilter {
  readonly delivery?: string | undefined;
  readonly tenant?: string | undefined;
  readonly subscription?: string | undefined;
  readonly since?: Date | undefined;
  /** The last attempt's outcome; `http_status` with or without its code. */
  readonly reason?: string | undefined;
}

export interface DeadLetter {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly type: string;
  readonly failedAt: Date;
  readonly reason: string;
}

/** Oldest first. */
export async function listDeadLetters(db: Kysely<Tables>, filter: DeadFilter): Promise<DeadLetter[]> {
  const letters = await deadLetters(db, filter).orderBy("dead_since").orderBy("deliveries.id").execute();
  return letters.filter((letter) => hasReason(letter, filter));
}

/** One with its event and every attempt, or null where no dead letter has this id. */
export async function findDeadLetter(db: Kysely<Tables>, delivery: string) {
  const [letter] = await listDeadLetters(db, { delivery });
  if (letter === undefined) return null;
  const attempts = await db
    .selectFrom("attempts")
    .select(["generation", "attempt", "at", "duration_ms as durationMs", "outcome"])
    .select(["status_code as statusCode", "response_body as responseBody"])
    .where("tenant_id", "=", letter.tenantId)
    .where("delivery_id", "=", delivery)
    .orderBy("generation")
    .orderBy("attempt")
    .execute();
  return { ...letter, attempts };
}

/**
 * Gives each a fresh set of attempts; the running service's feed sends them. Those of a deleted subscription have
 * nowhere to go and stay. Out: how many were meant, and how many of them will be sent.
 */
export async function redriveDeadLetters(
  db: Kysely<Tables>,
  filter: DeadFilter,
): Promise<{ matched: number; redriven: number }> {
  const letters = await listDeadLetters(db, filter);
  const deliveryIds = sql`any(${letters.map(({ deliveryId }) => deliveryId)}::uuid[])`;
  const redriven = await db
    // Locked, so that one that is being paused or deleted is seen as it will be.
    .with("alive", (tx) =>
      tx
        .selectFrom("subscriptions")
        .select(["tenant_id", "id", "active"])
        .where(sql<boolean>`id in (select subscription_id from deliveries where id = ${deliveryIds})`)
        .orderBy("tenant_id")
        .orderBy("id")
        .forShare(),
    )
    .updateTable("deliveries")
    .from("alive")
    .set({
      status: sql<"pending">`case when alive.active then 'pending' else 'paused' end`,
      next_attempt_at: sql<Date>`case when alive.active then now() end`,
      attempt_count: 0,
      generation: sql<number>`generation + 1`,
      completed_at: null,
      dead_since: null,
      place: sql<"waiting">`case when alive.active then 'waiting' end`,
      enqueued_at: null,
    })
    .whereRef("alive.tenant_id", "=", "deliveries.tenant_id")
    .whereRef("alive.id", "=", "deliveries.subscription_id")
    .where("dead_since", "is not", null)
    .where(sql<boolean>`deliveries.id = ${deliveryIds}`)
    .executeTakeFirst();
  return { matched: letters.length, redriven: Number(redriven.numUpdatedRows) };
}

/** Takes them off the operator's list for good; the tenants' delivery log keeps them as failed. */
export async function purgeDeadLetters(db: Kysely<Tables>, filter: DeadFilter): Promise<{ purged: number }> {
  const letters = await listDeadLetters(db, filter);
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set({ dead_since: null })
    .where("dead_since", "is not", null)
    .where(sql<boolean>`id = any(${letters.map(({ deliveryId }) => deliveryId)}::uuid[])`)
    .executeTakeFirst();
  return { purged: Number(numUpdatedRows) };
}

function deadLetters(db: Kysely<Tables>, { delivery, tenant, subscription, since }: DeadFilter) {
  let query = db
    .selectFrom("deliveries")
    .innerJoin("attempts as last", (join) =>
      join
        .onRef("last.tenant_id", "=", "deliveries.tenant_id")
        .onRef("last.delivery_id", "=", "deliveries.id")
        .onRef("last.generation", "=", "deliveries.generation")
        .onRef("last.attempt", "=", "deliveries.attempt_count"),
    )
    .select([
      "deliveries.id as deliveryId",
      "deliveries.tenant_id as tenantId",
      "deliveries.subscription_id as subscriptionId",
      "deliveries.type",
      sql<Date>`dead_since`.as("failedAt"),
      sql<string>`case when last.outcome = 'http_status' then 'http_status ' || last.status_code else last.outcome end`.as(
        "reason",
      ),
    ])
    .where("dead_since", "is not", null);
  if (delivery !== undefined) query = query.where("deliveries.id", "=", delivery);
  if (tenant !== undefined) query = query.where("deliveries.tenant_id", "=", tenant);
  if (subscription !== undefined) query = query.where("deliveries.subscription_id", "=", subscription);
  if (since !== undefined) query = query.where("dead_since", ">=", since);
  return query;
}

function hasReason(letter: DeadLetter, { reason }: DeadFilter): boolean {
  return reason === undefined || letter.reason === reason || letter.reason.startsWith(`${reason} `);
}
