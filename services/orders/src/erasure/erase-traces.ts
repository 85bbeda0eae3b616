// The steps through data of the whole tenant: the words of the search, and the recorded responses.
import { queryUnprepared, type RowColumns, rowsAs } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { erasedResponse } from "./erase-texts.ts";
import { FIRST_RESPONSE, type RunningErasure, type Step } from "./erasure-store.ts";
import { portionsOf } from "./portions.ts";

// Reading them takes about 20 ms.
const BATCH_WORDS_MAX = 20_000;

/** Deletes the customer's words among the tenant's next words. */
export async function eraseWords(
  tx: Tenant,
  { customerId }: RunningErasure,
  after: { readonly word: string; readonly id: string },
): Promise<Step> {
  const { rows } = await sql<{ word: string; id: string; isFull: boolean; deleted: number }>`
    with scanned as (
      select word, customer_id from customer_words
       where tenant_id = ${tx.tenantId} and (word, customer_id) > (${after.word}, ${after.id})
       order by word, customer_id limit ${sql.lit(BATCH_WORDS_MAX)}
    ), deleted as (
      delete from customer_words
       using scanned
       where tenant_id = ${tx.tenantId} and customer_words.word = scanned.word
         and customer_words.customer_id = scanned.customer_id and scanned.customer_id = ${customerId}
      returning true
    )
    select word, customer_id as id, (select count(*) = ${sql.lit(BATCH_WORDS_MAX)} from scanned) as "isFull",
           (select count(*)::integer from deleted) as deleted
      from scanned order by word desc, customer_id desc limit 1`.execute(tx.db);
  const [{ word, id, isFull, deleted } = { ...after, isFull: false, deleted: 0 }] = rows;
  return isFull
    ? { next: { step: "words", after: { word, id } }, rows: deleted }
    : { next: { step: "responses", after: FIRST_RESPONSE }, rows: deleted };
}

// A response may have 2 MiB.
const BATCH_RESPONSES_MAX = 500;

/** Erases the person in the tenant's next responses. They stay, so that a repeated request still has no effect. */
export async function eraseResponses(
  tx: Tenant,
  { customerId }: RunningErasure,
  after: { readonly route: string; readonly key: string },
): Promise<Step> {
  // `bytes` is null for a response without the customer.
  const { rows: found } = await sql<{ route: string; key: string; bytes: number | null }>`
    select route, key, case when strpos(answer::text, ${customerId}::text) > 0 then octet_length(answer::text) end as bytes
      from idempotency_records
     where tenant_id = ${tx.tenantId} and (route, key) > (${after.route}, ${after.key})
     order by route, key limit ${sql.lit(BATCH_RESPONSES_MAX)}`.execute(tx.db);
  const named = found.flatMap(({ bytes, ...one }) => (bytes === null ? [] : [{ ...one, bytes }]));
  let changed = 0;
  for (const portion of portionsOf(named)) {
    const rows = await queryUnprepared(
      tx,
      sql<{ route: string; key: string; answer: string }>`
        select record.route, record.key, record.answer::text as answer
          from ${rowsAs("wanted", KEY, portion)}
         cross join lateral (
           select * from idempotency_records
            where tenant_id = ${tx.tenantId} and idempotency_records.route = wanted.route and idempotency_records.key = wanted.key
            limit 1
         ) record`,
    );
    const erased = rows.flatMap(({ route, key, answer }) => {
      const left = erasedResponse(answer, customerId);
      return left === answer ? [] : [{ route, key, left }];
    });
    if (erased.length === 0) continue;
    await queryUnprepared(
      tx,
      sql`
        update idempotency_records record set answer = erased.answer::json
          from ${rowsAs("erased", ERASED, erased)}
         where record.tenant_id = ${tx.tenantId} and record.route = erased.route and record.key = erased.key`,
    );
    changed += erased.length;
  }
  const last = found.length === BATCH_RESPONSES_MAX ? found.at(-1) : undefined;
  return {
    next: last === undefined ? null : { step: "responses", after: { route: last.route, key: last.key } },
    rows: changed,
  };
}

interface Key {
  readonly route: string;
  readonly key: string;
}

const KEY: RowColumns<Key> = { route: ["text", ({ route }) => route], key: ["text", ({ key }) => key] };
const ERASED: RowColumns<Key & { readonly left: string }> = { ...KEY, answer: ["text", ({ left }) => left] };
