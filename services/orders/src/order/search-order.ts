// How orders are found by their words (interface §19): the parts of the statements that change an order and of the list.
import type { Columns, Tenant } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { hasWords, inRange, searchTextOf, type WordCount, wordsOf } from "../search/search.ts";
import type { Tables } from "../tables.ts";
import type { Order } from "./order-resource.ts";

/** For the `set` of an update of `orders`. A row that has no words yet goes without: it gets all of them later. */
export const SET_SEARCH = `search_text = case when search_version = version then $search.text else search_text end,
           search_version = case when search_version = version then version + 1 else search_version end`;

/**
 * A CTE after `changed`, which returns `created_at`. Only the tracking number changes. The words of the former one stay, so what is found
 * by the table is compared with `search_text`.
 */
export const NEW_WORDS = `new_words as (
    insert into order_words (tenant_id, word, created_at, order_id)
    select $event.tenant_id, word, created_at, $event.aggregate_id from changed, unnest($search.words::text[]) word
    on conflict do nothing
  )`;

interface Change {
  /** After the change. */
  readonly order: Order;
}

export const searchOfOrder: Columns<Change> = {
  text: ({ order }) => searchTextOf(wordsOf([order.orderNumber, order.externalId, order.trackingNumber])),
  words: ({ order }) => wordsOf([order.trackingNumber]),
};

/** A condition on the rows of `orders`. */
export function orderHasWords(words: readonly string[]): RawBuilder<boolean> {
  const text = sql<string>`coalesce(orders.search_text, '') || coalesce((
    select customer.search_text from customers customer
     where customer.tenant_id = orders.tenant_id and customer.id = orders.customer_id), '')`;
  return hasWords(text, words);
}

interface Candidates {
  /** The rarest word first. */
  readonly counts: readonly WordCount[];
  readonly cursor: { readonly createdAt: Date; readonly id: string } | null;
  /** The most orders of one customer that are needed; null for all. */
  readonly ofCustomerMax: number | null;
}

/**
 * The orders that the tables of words name for the rarest of the words, newest first, as `found_at` and `found_id`: among them are all
 * that have every word.
 */
export function candidates(
  { tenantId }: Tenant<Tables>,
  { counts, cursor, ofCustomerMax }: Candidates,
): RawBuilder<unknown> {
  const word = counts[0]?.word ?? "";
  // Words that no order has itself must be those of its customer.
  const ofCustomer = counts.filter(({ orders }) => orders === 0).map(({ word }) => word);
  const isAfter = (id: RawBuilder<unknown>) =>
    cursor === null ? sql`true` : sql`(created_at, ${id}) < (${cursor.createdAt}, ${cursor.id})`;
  return sql`(
    select created_at as found_at, order_id as found_id from order_words
     where tenant_id = ${tenantId} and ${inRange(word)} and ${isAfter(sql`order_id`)}
     union
    select newest.created_at, newest.id
      from (select distinct customer_id as id from customer_words where tenant_id = ${tenantId} and ${inRange(word)}) found_customer
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
