// The two sorts of the list of orders: by creation, and by the date of the order (interface §4).
import { newestFirst } from "@tradepost/postgres";
import { type Expression, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Tables, Tenant } from "../tables.ts";
import type { OrdersQuery } from "./order-input.ts";

type Row = Selectable<Tables["orders"]>;
type Matching = SelectQueryBuilder<Tables, "orders", Row>;

export const PLACED_AT = sql`coalesce(placed_at, created_at)`;

/**
 * Returns the order of the list, the rows behind its cursor, and `first`, the statement for its first rows and one more. This reads
 * dated orders by the index of dates, and undated orders by creation, only up to the tenant's first dated order: otherwise it would
 * read a whole import to find one undated order.
 */
export function newestOrders({ tenantId }: Tenant, matching: Matching, query: OrdersQuery) {
  const { sort, cursor, placedAfter, placedBefore } = query;
  const isByCreation = sort === "createdAt";
  const order = isByCreation ? sql`created_at desc, id desc` : sql`${PLACED_AT} desc, id desc`;
  const dated = placedWithin(matching, sql`placed_at`, query).where("placed_at", "is not", null);
  // The clock of a database that takes over may be a little behind.
  const undated = placedWithin(matching, sql`created_at`, query)
    .where("placed_at", "is", null)
    .where(sql<boolean>`created_at <= (
      select coalesce(max(dated_since) + interval '10 s', 'infinity') from order_counters where tenant_id = ${tenantId})`);
  const merged = (limit: number) => sql<Row>`
    select * from (
      (${newestFirst(dated, { limit, cursor }, isByCreation ? "created_at" : "placed_at")})
      union all
      (${newestFirst(undated, { limit, cursor })})) orders
     order by ${order} limit ${limit + 1}`;
  const isPlain = isByCreation && placedAfter === undefined && placedBefore === undefined;
  const placed = placedWithin(matching, PLACED_AT, query);
  return {
    isByCreation,
    order,
    behindCursor:
      cursor === null
        ? placed
        : placed.where(
            sql<boolean>`(${isByCreation ? sql`created_at` : PLACED_AT}, id) < (${cursor.createdAt}, ${cursor.id})`,
          ),
    first: (limit: number): Expression<Row> =>
      isPlain ? newestFirst(matching, { limit, cursor }) : merged(limit),
  };
}

export function placedWithin(
  matching: Matching,
  time: Expression<unknown>,
  { placedAfter, placedBefore }: Pick<OrdersQuery, "placedAfter" | "placedBefore">,
): Matching {
  const later =
    placedAfter === undefined ? matching : matching.where(sql<boolean>`${time} >= ${placedAfter}`);
  return placedBefore === undefined ? later : later.where(sql<boolean>`${time} < ${placedBefore}`);
}
