// Commits canaries: `redirect.added` events of no tenant that follow the path of every event. The webhooks service reports the
// age of the latest canary that arrived.
import { randomUUID } from "node:crypto";
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { outboxRow, withoutQuota } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { type Logger, newId, newTraceparent, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

const ACTOR = { type: "system", id: "canary", name: "Canary" };

/**
 * The role of `db` may read the outbox; `onCommit` wakes the relay. A replica commits a canary only once its previous canary is
 * published, so that an outage leaves one row per replica in the outbox.
 */
export function startCanaries(options: {
  db: Kysely<Tables>;
  tenants: TenantDatabases<Tables>;
  everyMs: number;
  onCommit: () => void;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { db, tenants, everyMs, onCommit, logger } = options;
  let lastId: string | undefined;
  return repeatOrWarn(logger, "writing a canary failed; retrying", everyMs, async () => {
    if (lastId === undefined || !(await isUnpublished(db, lastId))) {
      lastId = await writeCanary(tenants);
      onCommit();
    }
    return everyMs;
  });
}

async function isUnpublished(db: Kysely<Tables>, eventId: string): Promise<boolean> {
  const row = await db.selectFrom("outbox").select("id").where("event_id", "=", eventId).executeTakeFirst();
  return row !== undefined;
}

async function writeCanary(tenants: TenantDatabases<Tables>): Promise<string> {
  const redirect = {
    id: newId(),
    from: "/canary",
    to: "/",
    type: 301,
    createdAt: new Date().toISOString(),
    version: 1,
  };
  const cause = {
    requestId: randomUUID(),
    traceparent: newTraceparent(),
    principal: { tenantId: CANARY_TENANT_ID, actor: ACTOR },
  };
  const row = outboxRow("redirect.added", redirect.id, { redirect }, withoutQuota(cause));
  await tenants.of(CANARY_TENANT_ID).db.insertInto("outbox").values(row).execute();
  return row.event_id;
}
