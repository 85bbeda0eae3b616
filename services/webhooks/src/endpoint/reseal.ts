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

type Row = Pick<
  Selectable<Tables["subscriptions"]>,
  "tenant_id" | "id" | "secret_sealed" | "previous_secret_sealed" | "headers_sealed"
> & {
  readonly is_over: boolean;
};

export async function resealAll(
  db: Kysely<Tables>,
  keys: SealingKeys,
): Promise<{ resealed: number; unopened: Unopened[] }> {
  let resealed = 0;
  for (let pass = 1; ; pass += 1) {
    const { count, unopened } = merge(await resealOnce(db, keys), await resealDestinations(db, keys));
    resealed += count;
    if (count === 0 || pass === PASSES_MAX) return { resealed, unopened };
  }
}

interface Pass {
  readonly count: number;
  readonly unopened: Unopened[];
}

function merge(one: Pass, other: Pass): Pass {
  return { count: one.count + other.count, unopened: [...one.unopened, ...other.unopened] };
}

/** Sealed with the tenant's id in place of a subscription's. */
async function resealDestinations(db: Kysely<Tables>, keys: SealingKeys): Promise<Pass> {
  const sealing = createSealer(keys);
  const unopened: Unopened[] = [];
  let count = 0;
  const rows = await db
    .selectFrom("notice_destinations")
    .select(["tenant_id", "secret_sealed"])
    .where(
      sql<boolean>`secret_sealed is not null and ${keyIdOf("secret_sealed")} is distinct from ${keys[0].id}`,
    )
    .execute();
  for (const { tenant_id, secret_sealed } of rows) {
    if (secret_sealed === null) continue;
    const owner = ownerOfSecret(tenant_id, tenant_id);
    const keyId = sealingKeyIdOf(secret_sealed);
    try {
      const { numUpdatedRows } = await db
        .updateTable("notice_destinations")
        .set({ secret_sealed: sealing.seal(sealing.open(secret_sealed, owner), owner) })
        .where("tenant_id", "=", tenant_id)
        .where("secret_sealed", "=", secret_sealed)
        .executeTakeFirst();
      count += Number(numUpdatedRows);
    } catch (error) {
      if (!(error instanceof SealingError)) throw error;
      unopened.push({ tenantId: tenant_id, subscriptionId: tenant_id, value: "signing secret", keyId });
    }
  }
  return { count, unopened };
}

async function resealOnce(db: Kysely<Tables>, keys: SealingKeys) {
  const sealing = createSealer(keys);
  const unopened: Unopened[] = [];
  let count = 0;
  let last: Row | undefined;
  do {
    const rows = await readBatch(db, keys[0].id, last);
    for (const row of rows) {
      const result = resealValues(row, sealing, keys[0].id);
      unopened.push(...result.unopened);
      if (result.count > 0 && (await replace(db, row, result.sealed))) count += result.count;
    }
    last = rows.length === BATCH_ROWS ? rows.at(-1) : undefined;
  } while (last !== undefined);
  return { count, unopened };
}

async function readBatch(db: Kysely<Tables>, firstId: string | null, after: Row | undefined): Promise<Row[]> {
  const isOther = (column: "secret_sealed" | "previous_secret_sealed" | "headers_sealed") =>
    sql<boolean>`(${sql.ref(column)} is not null and ${keyIdOf(column)} is distinct from ${firstId})`;
  return await db
    .selectFrom("subscriptions")
    .select(["tenant_id", "id", "secret_sealed", "previous_secret_sealed", "headers_sealed"])
    .select(sql<boolean>`coalesce(previous_secret_until <= now(), false)`.as("is_over"))
    .where((is) =>
      is.or([isOther("secret_sealed"), isOther("previous_secret_sealed"), isOther("headers_sealed")]),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(tenant_id, id) > (${after?.tenant_id}, ${after?.id})`),
    )
    .orderBy("tenant_id")
    .orderBy("id")
    .limit(BATCH_ROWS)
    .execute();
}

type Sealed = Pick<Row, "secret_sealed" | "previous_secret_sealed" | "headers_sealed">;

function resealValues(row: Row, sealing: Sealer, firstId: string | null) {
  const unopened: Unopened[] = [];
  let count = 0;
  const reseal = (value: Unopened["value"], sealed: Buffer, owner: string): Buffer => {
    const keyId = sealingKeyIdOf(sealed);
    if (keyId === firstId) return sealed;
    try {
      const result = sealing.seal(sealing.open(sealed, owner), owner);
      count += 1;
      return result;
    } catch (error) {
      if (!(error instanceof SealingError)) throw error;
      unopened.push({ tenantId: row.tenant_id, subscriptionId: row.id, value, keyId });
      return sealed;
    }
  };
  const { secret_sealed, previous_secret_sealed, headers_sealed, tenant_id, id } = row;
  const sealed: Sealed = {
    secret_sealed: reseal("signing secret", secret_sealed, ownerOfSecret(tenant_id, id)),
    previous_secret_sealed:
      previous_secret_sealed &&
      reseal("previous signing secret", previous_secret_sealed, ownerOfSecret(tenant_id, id)),
    headers_sealed: headers_sealed && reseal("headers", headers_sealed, ownerOfHeaders(tenant_id, id)),
  };
  // An ended overlap signs nothing any more.
  const missed = unopened.filter(({ value }) => !(row.is_over && value === "previous signing secret"));
  return { sealed, count, unopened: missed };
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
