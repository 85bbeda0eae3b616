// The SQL that search adds to the list statement and to statements that change an order (interface §19).
import type { Columns } from "@tradepost/postgres";
import { hasWords, type SearchedWord, searchTextOf, wordsOf } from "@tradepost/search";
import { type RawBuilder, sql } from "kysely";
import { bytesOfWords, rowsWith, type WordCount } from "../search/search.ts";
import type { Tenant } from "../tables.ts";
import type { Order } from "./order-resource.ts";

/**
 * A CTE that follows `changed`, which returns `created_at`. Only the words of tracking numbers can change. Previous words remain,
 * so results must be compared with `search_text`.
 */
export const NEW_WORDS = `new_words as (
    insert into order_words (tenant_id, word, created_at, order_id)
    select $event.tenant_id, word, created_at, $event.aggregate_id from changed, unnest($search.words::text[]) word
    on conflict do nothing
  )`;

interface Change {
  readonly order: Order;
  readonly tracked: readonly (string | undefined)[];
}

export const searchOfOrder: Columns<Change> = {
  text: ({ order: { orderNumber, externalId, shipments } }) => {
    const codes = shipments.map((shipment) => shipment.trackingNumber);
    return searchTextOf(wordsOf([orderNumber, externalId, ...codes], { codes }));
  },
  words: ({ tracked }) => wordsOf(tracked, { codes: tracked }),
  bytes: ({ tracked }) => bytesOfWords(wordsOf(tracked, { codes: tracked })),
};

export function orderHasWords(words: readonly SearchedWord[]): RawBuilder<boolean> {
  const text = sql<string>`coalesce(orders.search_text, '') || coalesce((
    select customer.search_text from customers customer
     where customer.tenant_id = orders.tenant_id and customer.id = orders.customer_id), '')`;
  return hasWords(text, words);
}

export function orderHasSku(sku: string): RawBuilder<boolean> {
  return sql<boolean>`case when orders.lines is null
    then exists (select from order_line_rows line
                  where line.tenant_id = orders.tenant_id and line.order_id = orders.id and line.sku = ${sku})
    else exists (select from unnest(orders.lines) line where line.sku = ${sku}) end`;
}

interface Candidates {
  readonly counts: readonly WordCount[];
  readonly cursor: { readonly createdAt: Date; readonly id: string } | null;
  /** The most orders read of one customer; null for all. */
  readonly ofCustomerMax: number | null;
}

/** The orders with the rarest word, newest first, as `found_at` and `found_id`. Every order with all words is among them. */
export function candidates(tenant: Tenant, { counts, cursor, ofCustomerMax }: Candidates) {
  const { tenantId } = tenant;
  const word = counts[0]?.word ?? [""];
  // A word of no order must be a word of the customer.
  const ofCustomer = counts.filter(({ orders }) => orders === 0).map(({ word }) => word);
  const isAfter = (id: RawBuilder<unknown>) =>
    cursor === null ? sql`true` : sql`(created_at, ${id}) < (${cursor.createdAt}, ${cursor.id})`;
  return sql`(
    select created_at as found_at, order_id as found_id from ${rowsWith("order_words", tenant, word)} found
     where ${isAfter(sql`order_id`)}
     union
    select newest.created_at, newest.id
      from (select distinct customer_id as id from ${rowsWith("customer_words", tenant, word)} found) found_customer
     ${
       ofCustomer.length === 0
         ? sql``
         : sql`cross join lateral (
       select from customers
        where tenant_id = ${tenantId} and customers.id = found_customer.id and ${hasWords(sql`search_text`, ofCustomer)}) matching`
     }
     cross join lateral (
       select created_at, id from orders
        where tenant_id = ${tenantId} and customer_id = found_customer.id and ${isAfter(sql`id`)}
        order by created_at desc, id desc limit ${ofCustomerMax === null ? sql`all` : sql.lit(ofCustomerMax)}) newest
     order by found_at desc, found_id desc)`;
}
