import type { Event } from "@tradepost/messaging";
import { batch } from "@tradepost/runtime";
import type { Pool } from "pg";
import { eventKey } from "../delivery/delivery.ts";

const BATCH_EVENTS_MAX = 200;
const MAX_WAIT_MS = 50;

/** Returns a function that says whether an event was fanned out before. A replay sends mostly such events. */
export function startIsKnown(pool: Pool): (event: Event) => Promise<boolean> {
  return batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (events: readonly Event[]) => {
      const { rows } = await pool.query<{ tenantId: string; id: string }>(FIND_KNOWN, [
        [...new Set(events.map((event) => event.tenant_id))],
        events.map((event) => event.id),
      ]);
      const known = new Set(rows.map(({ tenantId, id }) => eventKey(tenantId, id)));
      return events.map((event) => known.has(eventKey(event.tenant_id, event.id)));
    },
  });
}

const FIND_KNOWN = `
  select tenant_id as "tenantId", id from events where tenant_id = any($1::uuid[]) and id = any($2::uuid[])`;
