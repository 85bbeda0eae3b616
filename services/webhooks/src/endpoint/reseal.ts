// Seals all stored values with the first of the sealing keys, so that the others can be removed. Replicas keep working: each value
// is changed only if nobody has changed it since it was read. A run continues where another ended.
import { NO_ID } from "@tradepost/http";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { createSealer, keyIdOf, SealingError, type SealingKeys } from "./seal.ts";
import { ownerOfHeaders, ownerOfSecret } from "./sealing.ts";

interface Unopened {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly value: "signing secret" | "previous signing secret" | "headers";
  readonly keyId: string | null;
}

interface Stored extends Unopened {
  readonly position: number;
  readonly table: "subscriptions" | "notice_destinations";
  readonly column: "secret_sealed" | "previous_secret_sealed" | "headers_sealed";
  readonly sealed: Buffer;
  /** Whether the overlap has ended: the secret signs nothing. */
  readonly isOver: boolean;
}

const BATCH_VALUES = 200;
// If a value is changed between its read and its write, a later pass reads it again.
const PASSES_MAX = 10;

export async function resealAll(db: Kysely<Tables>, keys: SealingKeys) {
  const sealer = createSealer(keys);
  let resealed = 0;
  for (let number = 1; ; number += 1) {
    const unopened: Unopened[] = [];
    let count = 0;
    for await (const stored of storedValues(db, keys[0].id)) {
      const { tenantId, subscriptionId, value, keyId, sealed, isOver } = stored;
      const ownerOf = value === "headers" ? ownerOfHeaders : ownerOfSecret;
      const owner = ownerOf(tenantId, subscriptionId);
      try {
        if (await replace(db, stored, sealer.seal(sealer.open(sealed, owner), owner))) count += 1;
      } catch (error) {
        if (!(error instanceof SealingError)) throw error;
        if (!isOver) unopened.push({ tenantId, subscriptionId, value, keyId });
      }
    }
    resealed += count;
    if (count === 0 || number === PASSES_MAX) return { resealed, unopened };
  }
}

const OF_SUBSCRIPTIONS = sql`
  select 'subscriptions' as "table", tenant_id, id, sealed.*
    from subscriptions
   cross join lateral (values
           (0, 'secret_sealed', 'signing secret', secret_sealed, false),
           (1, 'previous_secret_sealed', 'previous signing secret', previous_secret_sealed,
            coalesce(previous_secret_until <= now(), false)),
           (2, 'headers_sealed', 'headers', headers_sealed, false)) as sealed (position, "column", kind, value, is_over)`;

// Destinations have the tenant's id in place of a subscription's.
const OF_DESTINATIONS = sql`
  select 'notice_destinations' as "table", tenant_id, tenant_id as id, 0 as position, 'secret_sealed' as "column",
         'signing secret' as kind, secret_sealed as value, false as is_over
    from notice_destinations`;

const START = { tenantId: NO_ID, subscriptionId: NO_ID, position: -1 };

/** Yields values that another key has sealed. A batch begins at a row of the index, which knows no position within the row. */
async function* storedValues(db: Kysely<Tables>, firstId: string | null): AsyncGenerator<Stored> {
  for (const values of [OF_SUBSCRIPTIONS, OF_DESTINATIONS])
    for (let after: typeof START | undefined = START; after !== undefined; ) {
      const { tenantId, subscriptionId, position } = after;
      const batch: { rows: Stored[] } = await sql<Stored>`
        select "table", tenant_id as "tenantId", id as "subscriptionId", position, "column", kind as value, value as sealed,
               ${keyIdOf("value")} as "keyId", is_over as "isOver"
          from (${values}) as stored
         where value is not null and ${keyIdOf("value")} is distinct from ${firstId}
           and (tenant_id, id) >= (${tenantId}::uuid, ${subscriptionId}::uuid)
           and (tenant_id, id, position) > (${tenantId}::uuid, ${subscriptionId}::uuid, ${position})
         order by tenant_id, id, position
         limit ${BATCH_VALUES}`.execute(db);
      yield* batch.rows;
      after = batch.rows.length === BATCH_VALUES ? batch.rows.at(-1) : undefined;
    }
}

/** Returns false if the value has changed. The setting keeps a trigger from counting a new version. */
async function replace(db: Kysely<Tables>, stored: Stored, after: Buffer): Promise<boolean> {
  const { table, tenantId, subscriptionId, sealed } = stored;
  const column = sql.ref(stored.column);
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${column} = ${after}
      from (select set_config('tradepost.resealing', 'on', true) as resealing) setting
     where tenant_id = ${tenantId} and ${column} = ${sealed} and resealing = 'on'
           ${table === "subscriptions" ? sql`and id = ${subscriptionId}` : sql``}`.execute(db);
  return numAffectedRows === 1n;
}
