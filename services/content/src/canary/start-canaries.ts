// Sends the canary off: an event like that of a redirect that was added, but of no tenant, committed to the outbox on the
// way that requests' events take. The webhooks service tells when the last one to come through was committed.
import { randomUUID } from "node:crypto";
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { outboxRow } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { type Logger, newId, newTraceparent, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { Tables } from "../tables.ts";

const ACTOR = { type: "system", id: "canary", name: "Canary" };

/**
 * In: the tenants' databases to commit it in, a pool that sees the outbox, how often, and what wakes the relay. Every
 * replica sends its own, so several send more often. While its last one is not published yet it sends no other: a broker
 * that is away for days, or an event that was set aside, leaves one row of each replica, not one for each period.
 */
export function startCanaries(options: {
  tenants: TenantDatabases<Tables>;
  workers: Pool;
  everyMs: number;
  onCommit: () => void;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { tenants, workers, everyMs, onCommit, logger } = options;
  let lastId: string | undefined;
  return repeat(async () => {
    try {
      if (lastId === undefined || !(await isWaiting(workers, lastId))) {
        lastId = await writeCanary(tenants);
        onCommit();
      }
    } catch (error) {
      logger.warn({ err: error }, "no canary could be sent off; trying again");
    }
    return everyMs;
  });
}

async function isWaiting(workers: Pool, eventId: string): Promise<boolean> {
  const { rowCount } = await workers.query("select from outbox where event_id = $1", [eventId]);
  return (rowCount ?? 0) > 0;
}

/** Of an aggregate of its own, so that they go through all of the relay's shards in turn. Out: the event's id. */
async function writeCanary(tenants: TenantDatabases<Tables>): Promise<string> {
  const redirect = { id: newId(), from: "/canary", to: "/", type: 301, createdAt: new Date().toISOString() };
  const cause = {
    requestId: randomUUID(),
    traceparent: newTraceparent(),
    principal: { tenantId: CANARY_TENANT_ID, actor: ACTOR },
  };
  const row = outboxRow("redirect.added", redirect.id, { redirect }, cause);
  await tenants.of(CANARY_TENANT_ID).db.insertInto("outbox").values(row).execute();
  return row.event_id;
}
