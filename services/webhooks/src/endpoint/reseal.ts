// Seals all stored values with the first of the sealing keys, so that the others can be removed. Replicas keep working: each row is
// changed only if nobody has changed its sealed values since they were read. A run continues where another ended.
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import {
  createSealer,
  keyIdOf,
  type Sealer,
  SealingError,
  type SealingKeys,
  sealingKeyIdOf,
} from "./seal.ts";
import { ownerOfHeaders, ownerOfSecret } from "./sealing.ts";

interface Unopened {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly value: "signing secret" | "previous signing secret" | "headers";
  readonly keyId: string | null;
}

const BATCH_ROWS = 200;
// If a row is changed between its read and its write, a later pass reads it again.
const PASSES_MAX = 10;

const COLUMNS = ["secret_sealed", "previous_secret_sealed", "headers_sealed"] as const;

type Sealed = Pick<Selectable<Tables["subscriptions"]>, (typeof COLUMNS)[number]>;
type Row = Sealed & { readonly tenant_id: string; readonly id: string; readonly is_over: boolean };

interface Pass {
  readonly sealing: Sealer;
  readonly firstId: string | null;
  readonly unopened: Unopened[];
}

export async function resealAll(
  db: Kysely<Tables>,
  keys: SealingKeys,
): Promise<{ resealed: number; unopened: Unopened[] }> {
  let resealed = 0;
  for (let number = 1; ; number += 1) {
    const pass: Pass = { sealing: createSealer(keys), firstId: keys[0].id, unopened: [] };
    const count = (await resealSubscriptions(db, pass)) + (await resealDestinations(db, pass));
    resealed += count;
    if (count === 0 || number === PASSES_MAX) return { resealed, unopened: pass.unopened };
  }
}

function reseal(
  { sealing, firstId, unopened }: Pass,
  sealed: Buffer,
  owner: string,
  of: Omit<Unopened, "keyId"> | null,
): Buffer {
  const keyId = sealingKeyIdOf(sealed);
  if (keyId === firstId) return sealed;
  try {
    return sealing.seal(sealing.open(sealed, owner), owner);
  } catch (error) {
    if (!(error instanceof SealingError)) throw error;
    if (of !== null) unopened.push({ ...of, keyId });
    return sealed;
  }
}

/** Sealed with the tenant's id in place of a subscription's. */
async function resealDestinations(db: Kysely<Tables>, pass: Pass): Promise<number> {
  let count = 0;
  const rows = await db
    .selectFrom("notice_destinations")
    .select(["tenant_id", "secret_sealed"])
    .where(
      sql<boolean>`secret_sealed is not null and ${keyIdOf("secret_sealed")} is distinct from ${pass.firstId}`,
    )
    .execute();
  for (const { tenant_id: tenantId, secret_sealed: before } of rows) {
    if (before === null) continue;
    const of = { tenantId, subscriptionId: tenantId, value: "signing secret" } as const;
    const after = reseal(pass, before, ownerOfSecret(tenantId, tenantId), of);
    if (after === before) continue;
    const { numUpdatedRows } = await db
      .updateTable("notice_destinations")
      .set({ secret_sealed: after })
      .where("tenant_id", "=", tenantId)
      .where("secret_sealed", "=", before)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
}

async function resealSubscriptions(db: Kysely<Tables>, pass: Pass): Promise<number> {
  let count = 0;
  let last: Row | undefined;
  do {
    const rows = await readBatch(db, pass.firstId, last);
    for (const row of rows) {
      const sealed = resealValues(row, pass);
      const changed = COLUMNS.filter((column) => sealed[column] !== row[column]);
      if (changed.length > 0 && (await replace(db, row, sealed))) count += changed.length;
    }
    last = rows.length === BATCH_ROWS ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return count;
}

async function readBatch(db: Kysely<Tables>, firstId: string | null, after: Row | undefined): Promise<Row[]> {
  const isOther = (column: keyof Sealed) =>
    sql<boolean>`(${sql.ref(column)} is not null and ${keyIdOf(column)} is distinct from ${firstId})`;
  return await db
    .selectFrom("subscriptions")
    .select(["tenant_id", "id", ...COLUMNS])
    .select(sql<boolean>`coalesce(previous_secret_until <= now(), false)`.as("is_over"))
    .where((is) => is.or(COLUMNS.map(isOther)))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(tenant_id, id) > (${after?.tenant_id}, ${after?.id})`),
    )
    .orderBy("tenant_id")
    .orderBy("id")
    .limit(BATCH_ROWS)
    .execute();
}

function resealValues(row: Row, pass: Pass): Sealed {
  const { secret_sealed, previous_secret_sealed, headers_sealed, tenant_id: tenantId, id } = row;
  const owner = ownerOfSecret(tenantId, id);
  const of = (value: Unopened["value"]) => ({ tenantId, subscriptionId: id, value });
  return {
    secret_sealed: reseal(pass, secret_sealed, owner, of("signing secret")),
    // An ended overlap signs nothing any more.
    previous_secret_sealed:
      previous_secret_sealed &&
      reseal(pass, previous_secret_sealed, owner, row.is_over ? null : of("previous signing secret")),
    headers_sealed:
      headers_sealed && reseal(pass, headers_sealed, ownerOfHeaders(tenantId, id), of("headers")),
  };
}

/** Returns false if the row has changed. The setting keeps a trigger from counting a new version. */
async function replace(db: Kysely<Tables>, before: Row, sealed: Sealed): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update subscriptions
       set secret_sealed = ${sealed.secret_sealed}, previous_secret_sealed = ${sealed.previous_secret_sealed},
           headers_sealed = ${sealed.headers_sealed}
      from (select set_config('tradepost.resealing', 'on', true) as resealing) setting
     where tenant_id = ${before.tenant_id} and id = ${before.id} and resealing = 'on'
       and secret_sealed = ${before.secret_sealed}
       and previous_secret_sealed is not distinct from ${before.previous_secret_sealed}
       and headers_sealed is not distinct from ${before.headers_sealed}`.execute(db);
  return numAffectedRows === 1n;
}
