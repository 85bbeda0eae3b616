import { type RawBuilder, sql } from "kysely";
import type { TestOrders, TestShop } from "./test-orders.ts";

/**
 * Inserts orders as release 1.0.0 does, with the numbers n from `first` to `last`, each of a line of the article `A`, without events.
 * `fields` has expressions of n for other columns.
 */
export async function insertOrders(
  { db }: TestOrders,
  { tenantId, customerId }: TestShop,
  [first, last]: readonly [number, number],
  fields: Readonly<Record<string, RawBuilder<unknown>>> = {},
): Promise<void> {
  const columns = { order_number: sql`n::text`, ...fields };
  await sql`
    with placed as (
      insert into orders (tenant_id, id, customer_id, channel, currency, subtotal, shipping_total, discount_total, tax_total, total,
                          ${sql.join(Object.keys(columns).map((name) => sql.ref(name)))})
      select ${tenantId}::uuid, gen_random_uuid(), ${customerId}::uuid, 'admin', 'EUR', 0, 0, 0, 0, 0,
             ${sql.join(Object.values(columns))}
        from generate_series(${first}::int, ${last}::int) n
      returning tenant_id, id)
    insert into order_lines (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount)
    select tenant_id, id, 1, 'A', 'Mug', 1, 0, 0, 0 from placed`.execute(db);
}
