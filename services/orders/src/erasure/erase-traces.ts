// The steps that go through data of the whole tenant: the words of the search, and the recorded responses to Idempotency-Keys.
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { erasedResponse } from "./erase-texts.ts";
import { FIRST_RESPONSE, type RunningErasure, type Step } from "./erasure-store.ts";
import { portionsOf } from "./portions.ts";

// Reading them takes about 20 ms.
const BATCH_WORDS_MAX = 20_000;

/** Deletes the customer's words among the next words of the tenant: including former ones, which release 0.2.0 does not know. */
export async function eraseWords(
  tx: TenantStatements<Tables>,
  { customerId }: RunningErasure,
  after: { readonly word: string; readonly id: string },
): Promise<Step> {
  const { rows } = await tx.query<{ word: string; id: string; isFull: boolean; deleted: number }>({
    text: DELETE_WORDS,
    values: [tx.tenantId, after.word, after.id, customerId],
  });
  const [{ word, id, isFull, deleted } = { ...after, isFull: false, deleted: 0 }] = rows;
  return isFull
    ? { next: { step: "words", after: { word, id } }, rows: deleted }
    : { next: { step: "responses", after: FIRST_RESPONSE }, rows: deleted };
}

const DELETE_WORDS = `
  with scanned as (
    select word, customer_id from customer_words
     where tenant_id = $1 and (word, customer_id) > ($2, $3)
     order by word, customer_id limit ${BATCH_WORDS_MAX}
  ), deleted as (
    delete from customer_words
     using scanned
     where tenant_id = $1 and customer_words.word = scanned.word and customer_words.customer_id = scanned.customer_id
       and scanned.customer_id = $4
    returning true
  )
  select word, customer_id as id, (select count(*) = ${BATCH_WORDS_MAX} from scanned) as "isFull",
         (select count(*)::integer from deleted) as deleted
    from scanned order by word desc, customer_id desc limit 1`;

// A response may have 2 MiB.
const BATCH_RESPONSES_MAX = 500;

/** Erases the person in the next recorded responses of the tenant. They stay, so that a repeated request still has no effect. */
export async function eraseResponses(
  tx: TenantStatements<Tables>,
  { customerId }: RunningErasure,
  after: { readonly route: string; readonly key: string },
): Promise<Step> {
  const { rows: found } = await tx.query<{ route: string; key: string; bytes: number | null }>({
    text: FIND_RESPONSES,
    values: [tx.tenantId, after.route, after.key, customerId],
  });
  const named = found.flatMap(({ bytes, ...one }) => (bytes === null ? [] : [{ ...one, bytes }]));
  let changed = 0;
  for (const portion of portionsOf(named)) {
    const keys = [portion.map(({ route }) => route), portion.map(({ key }) => key)];
    const { rows } = await tx.query<{ route: string; key: string; answer: string }>({
      ...{ text: READ_RESPONSES, values: [tx.tenantId, ...keys], isPrepared: false },
    });
    const erased = rows.flatMap(({ route, key, answer }) => {
      const left = erasedResponse(answer, customerId);
      return left === answer ? [] : [{ route, key, left }];
    });
    const values = [
      ...[tx.tenantId, erased.map(({ route }) => route), erased.map(({ key }) => key)],
      erased.map(({ left }) => left),
    ];
    if (erased.length > 0) await tx.query({ text: WRITE_RESPONSES, values, isPrepared: false });
    changed += erased.length;
  }
  const last = found.length === BATCH_RESPONSES_MAX ? found.at(-1) : undefined;
  return {
    next: last === undefined ? null : { step: "responses", after: { route: last.route, key: last.key } },
    rows: changed,
  };
}

/** `bytes` is null for a response without the customer. */
const FIND_RESPONSES = `
  select route, key, case when strpos(answer::text, $4::text) > 0 then octet_length(answer::text) end as bytes
    from idempotency_records
   where tenant_id = $1 and (route, key) > ($2, $3)
   order by route, key limit ${BATCH_RESPONSES_MAX}`;

const READ_RESPONSES = `
  select record.route, record.key, record.answer::text as answer
    from unnest($2::text[], $3::text[]) as wanted (route, key)
   cross join lateral (
     select * from idempotency_records
      where tenant_id = $1 and idempotency_records.route = wanted.route and idempotency_records.key = wanted.key
      limit 1
   ) record`;

const WRITE_RESPONSES = `
  update idempotency_records record set answer = erased.answer::json
    from unnest($2::text[], $3::text[], $4::text[]) as erased (route, key, answer)
   where record.tenant_id = $1 and record.route = erased.route and record.key = erased.key`;
