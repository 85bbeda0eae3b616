// Which events were fanned out before: most of those that a replay sends again are dropped by this one look-up.
import type { Event } from "@tradepost/messaging";
import { batch } from "@tradepost/runtime";
import type { Pool } from "pg";

const BATCH_EVENTS_MAX = 200;
const MAX_WAIT_MS = 50;

const FIND_KNOWN = `
  select tenant_id || '.' || id as key from events where tenant_id = any($1::uuid[]) and id = any($2::uuid[])`;

/** Out: tells of an event whether its deliveries have been written. */
export function startFindingKnown(pool: Pool): (event: Event) => Promise<boolean> {
  return batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (events: readonly Event[]) => {
      const { rows } = await pool.query<{ key: string }>(FIND_KNOWN, [
        [...new Set(events.map((event) => event.tenant_id))],
        events.map((event) => event.id),
      ]);
      const known = new Set(rows.map(({ key }) => key));
      return events.map((event) => known.has(`${event.tenant_id}.${event.id}`.toLowerCase()));
    },
  });
}
