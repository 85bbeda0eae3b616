// Counts the bytes of a tenant's received events. Fan-out counts its batch in its own statement.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

// No process of fan-out has it, so an example never waits for a batch.
const PART = -1;

/** Counts an event that this service itself makes, in the transaction that inserts it. `data` is its JSON text. */
export async function countReceived(
  { db, tenantId }: Tenant<Tables>,
  occurredAt: Date,
  data: string,
): Promise<void> {
  await sql`
    insert into received_bytes as counted (tenant_id, day, part, bytes)
    values (${tenantId}, (${occurredAt}::timestamptz at time zone 'utc')::date, ${PART}, ${Buffer.byteLength(data)})
    on conflict (tenant_id, day, part) do update set bytes = counted.bytes + excluded.bytes`.execute(db);
}
