import type { Logger } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { requests } from "../delivery/delivery.ts";
import type { Outcome } from "../delivery-status.ts";
import type { Addressed } from "../endpoint/endpoint.ts";
import type { Tables } from "../tables.ts";
import { type Channel, type Claimed, claimedFor } from "./notice-messages.ts";

/** Throws if the secret cannot be opened. */
export type Send = (request: requests.Facts & Addressed) => Promise<{ readonly outcome: Outcome }>;

interface Post extends Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly noticeId: string;
  readonly change: "opened" | "closed";
  readonly createdAt: Date;
  readonly notice: string;
  readonly url: string | null;
  readonly secretSealed: Buffer | null;
}

export function postChannel(options: {
  db: Kysely<Tables>;
  send: Send;
  lockMs: number;
  logger: Logger;
}): Channel<Post> {
  const { db, send, lockMs, logger } = options;
  return {
    claim: (max, except) => claimPosts(db, { max, except, lockMs }),
    send: async ({ tenantId, id, attempt, noticeId, change, createdAt, notice, url, secretSealed }) => {
      if (url === null || secretSealed === null) return true;
      // A secret that cannot be opened counts as an attempt, so that no notice is tried forever.
      const made = await send({
        // The destination counts as a subscription with the tenant's id.
        ...{ tenantId, subscriptionId: tenantId, url, secretSealed },
        ...{ previousSecretSealed: null, headersSealed: null },
        ...{ deliveryId: id, attempt, eventId: noticeId, type: `notice.${change}` },
        ...{ occurredAt: createdAt.toISOString(), data: `{"notice":${notice}}` },
        ...{ resourceId: null, resourceVersion: null, replayId: null },
      }).catch((error: unknown) => logger.warn({ err: error, tenantId }, "notice not posted"));
      return made?.outcome === "delivered";
    },
  };
}

/** One message per tenant at a time, so that a slow destination does not take others' slots; the longest waiting first. */
async function claimPosts(
  db: Kysely<Tables>,
  { max, except, lockMs }: { max: number; except: readonly string[]; lockMs: number },
): Promise<Post[]> {
  const { rows } = await sql<Omit<Post, "messages">>`
    with due as (
      select message.tenant_id, message.id
        from (select tenant_id from notice_messages
               where channel = 'webhook' and next_attempt_at <= now() and tenant_id <> all(${except}::uuid[])
               group by tenant_id order by min(next_attempt_at)) tenant
       cross join lateral (
         select tenant_id, id from notice_messages
          where notice_messages.tenant_id = tenant.tenant_id and channel = 'webhook' and next_attempt_at <= now()
          order by next_attempt_at, id
          limit 1
            for update skip locked
       ) message
       limit ${max}), ${claimedFor(lockMs)}
    select claimed.tenant_id as "tenantId", id, notice_id as "noticeId", change, attempt_count as attempt,
           created_at as "createdAt", notice::text as notice, url, secret_sealed as "secretSealed"
      from claimed left join notice_destinations on notice_destinations.tenant_id = claimed.tenant_id`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, messages: [row] }));
}
