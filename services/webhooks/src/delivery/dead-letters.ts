// Lists, shows, redrives and purges dead letters: the rows of `dead_letters`, whatever messages are in `webhooks.dead`.
import { type OutgoingMessage, type Publisher, queueExchange, removeMatching } from "@tradepost/messaging";
import { tenantOf, toStatement } from "@tradepost/postgres";
import { sleep } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";
import { z } from "zod";
import { bodyOfAttempt } from "../statement-parts.ts";
import type { Tables } from "../tables.ts";
import { DEAD_QUEUE } from "../topology.ts";
import * as restarts from "./restarts.ts";

export interface Filter {
  readonly delivery?: string | undefined;
  readonly tenant?: string | undefined;
  readonly subscription?: string | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** The last outcome; `http_status` with or without its code. */
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

const REDRIVE_BATCH = 100;
const PAGE_LETTERS_MAX = 1_000;

export async function list(db: Kysely<Tables>, filter: Filter): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for await (const page of pagesOf(db, filter, PAGE_LETTERS_MAX)) letters.push(...page);
  return letters;
}

export async function count(db: Kysely<Tables>, filter: Filter): Promise<number> {
  const { letters } = await deadLetters(db, filter)
    .select((is) => is.fn.countAll<string>().as("letters"))
    .executeTakeFirstOrThrow();
  return Number(letters);
}

/** Includes attempts that are still in the log. */
export async function find(db: Kysely<Tables>, delivery: string) {
  const [letter] = await list(db, { delivery });
  if (letter === undefined) return null;
  const attempts = await db
    .selectFrom("attempts as made")
    .select(["generation", "attempt", "at", "duration_ms as durationMs", "outcome"])
    .select(["status_code as statusCode", bodyOfAttempt.as("responseBody")])
    .where("tenant_id", "=", letter.tenantId)
    .where("delivery_id", "=", delivery)
    .orderBy("generation")
    .orderBy("attempt")
    .execute();
  return { ...letter, attempts };
}

/**
 * Gives each selected delivery a fresh set of attempts, oldest first, except those of deleted subscriptions. Returns how many
 * matched the filter, and how many will be sent. If it is interrupted, the rest is unchanged.
 */
export async function redrive(db: Kysely<Tables>, filter: Filter, perSecondMax = Number.POSITIVE_INFINITY) {
  const batchSize = Math.max(1, Math.min(REDRIVE_BATCH, Math.floor(perSecondMax)));
  let matched = 0;
  let redriven = 0;
  for await (const batch of pagesOf(db, await upToNow(db, filter), batchSize)) {
    if (matched > 0) await sleep((batch.length / perSecondMax) * 1_000);
    matched += batch.length;
    for (const ofOne of Map.groupBy(batch, ({ subscriptionId }) => subscriptionId).values()) {
      const [{ tenantId, subscriptionId }] = ofOne as [DeadLetter];
      const ids = ofOne.map(({ deliveryId }) => deliveryId);
      const count = await tenantOf(db, tenantId).transaction(async (tx) => {
        await restarts.lock(tx, subscriptionId);
        return await restarts.restart(tx, subscriptionId, await stillDead(tx.db, ids));
      });
      redriven += count ?? 0;
    }
  }
  return { matched, redriven };
}

/** Leaves out deliveries that have been redelivered in the meantime. The lock keeps a letter from being both purged and sent. */
async function stillDead(db: Kysely<Tables>, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom("dead_letters")
    .select("delivery_id")
    .where(sql<boolean>`delivery_id = any(${ids}::uuid[])`)
    .orderBy("delivery_id")
    .forUpdate()
    .execute();
  return rows.map(({ delivery_id }) => delivery_id);
}

/** Removes dead letters from the operator's list for good; for tenants they remain failed. */
export async function purge(db: Kysely<Tables>, filter: Filter): Promise<{ purged: number }> {
  let purged = 0;
  for await (const page of pagesOf(db, await upToNow(db, filter), PAGE_LETTERS_MAX)) {
    const ids = page.map(({ deliveryId }) => deliveryId);
    purged += await db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom("dead_letters")
        .where(sql<boolean>`delivery_id = any(${await stillDead(tx, ids)}::uuid[])`)
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  }
  return { purged };
}

/** Leaves out deliveries that fail from now on: otherwise a redriven delivery that fails again would be redriven again. */
async function upToNow(db: Kysely<Tables>, filter: Filter): Promise<Filter> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  const now = rows[0]?.now;
  return { ...filter, until: filter.until && now && filter.until < now ? filter.until : now };
}

/** Each page starts after the last letter of the previous one, even if that letter is gone. */
async function* pagesOf(
  db: Kysely<Tables>,
  filter: Filter,
  lettersMax: number,
): AsyncGenerator<DeadLetter[]> {
  for (let after: DeadLetter | undefined; ; ) {
    let query = deadLetters(db, filter);
    if (after !== undefined) {
      query = query.where(
        sql<boolean>`(failed_at, delivery_id) > (${after.failedAt}, ${after.deliveryId}::uuid)`,
      );
    }
    const page = await query
      .select(["delivery_id as deliveryId", "tenant_id as tenantId", "subscription_id as subscriptionId"])
      .select(["type", "failed_at as failedAt", "reason"])
      .orderBy("failed_at")
      .orderBy("delivery_id")
      .limit(lettersMax)
      .execute();
    if (page.length > 0) yield page;
    if (page.length < lettersMax) return;
    after = page.at(-1);
  }
}

function deadLetters(db: Kysely<Tables>, { delivery, tenant, subscription, since, until, reason }: Filter) {
  let query = db.selectFrom("dead_letters");
  if (delivery !== undefined) query = query.where("delivery_id", "=", delivery);
  if (tenant !== undefined) query = query.where("tenant_id", "=", tenant);
  if (subscription !== undefined) query = query.where("subscription_id", "=", subscription);
  if (since !== undefined) query = query.where("failed_at", ">=", since);
  if (until !== undefined) query = query.where("failed_at", "<", until);
  if (reason !== undefined) {
    query = query.where(sql<boolean>`(reason = ${reason} or starts_with(reason, ${`${reason} `}))`);
  }
  return query;
}

/** Removes the messages of `webhooks.dead` whose delivery is no longer a dead letter. Returns how many. */
export async function tidyQueue(db: Kysely<Tables>, amqpUrl: string): Promise<number> {
  return await removeMatching({
    url: amqpUrl,
    queue: DEAD_QUEUE,
    matches: async ({ content }) => {
      const dead = decode(content);
      // An unreadable message remains for the operator.
      if (dead === null) return false;
      const row = await db
        .selectFrom("dead_letters")
        .select("delivery_id")
        .where("tenant_id", "=", dead.tenantId)
        .where("delivery_id", "=", dead.deliveryId)
        .where("generation", "=", dead.generation)
        .executeTakeFirst();
      return row === undefined;
    },
  });
}

export interface Message extends DeadLetter {
  readonly eventId: string;
  readonly generation: number;
  readonly attempt: number;
}

const schema = z.object({
  delivery_id: z.uuid(),
  tenant_id: z.uuid(),
  generation: z.int().positive(),
  failed_at: z.string(),
});

function messageOf(dead: Message): OutgoingMessage {
  return {
    exchange: queueExchange(DEAD_QUEUE),
    routingKey: DEAD_QUEUE,
    messageId: `${dead.deliveryId}.${dead.generation}.dead`,
    type: "webhook.dead",
    headers: { tenant_id: dead.tenantId, reason: dead.reason },
    mandatory: true,
    content: Buffer.from(
      JSON.stringify({
        delivery_id: dead.deliveryId,
        tenant_id: dead.tenantId,
        subscription_id: dead.subscriptionId,
        event_id: dead.eventId,
        type: dead.type,
        generation: dead.generation,
        attempts: dead.attempt,
        reason: dead.reason,
        failed_at: dead.failedAt.toISOString(),
      }),
    ),
  };
}

export function decode(content: Buffer): { deliveryId: string; tenantId: string; generation: number } | null {
  try {
    const { delivery_id, tenant_id, generation } = schema.parse(JSON.parse(content.toString("utf8")));
    return { deliveryId: delivery_id, tenantId: tenant_id, generation };
  } catch {
    return null;
  }
}

/** If the broker does not confirm the message, the sweep publishes it again. */
export async function publish(pool: Pool, publisher: Publisher, dead: Message): Promise<void> {
  const outcome = await publisher.publish(messageOf(dead));
  failPoint("dead-letter.published");
  if (outcome === "confirmed")
    await pool.query(
      toStatement(sql`
        update dead_letters set published_at = now()
         where tenant_id = ${dead.tenantId} and delivery_id = ${dead.deliveryId} and generation = ${dead.generation}`),
    );
  failPoint("dead-letter.recorded");
}
