  with customer as (
    select id from customers where tenant_id = $1 and id = $3
  ), generated as (
    insert into order_counters as counter (tenant_id, next_number)
    select $1, 1002 from customer where $4::text is null
    on conflict (tenant_id) do update set next_number = counter.next_number + 1
    returning (next_number - 1)::text as order_number
  ), number as (
    select order_number from generated
    union all
    select $4 from customer where $4 is not null
  ), new_order as (
    insert into orders (tenant_id, id, customer_id, order_number, channel, currency, subtotal, shipping_total,
                        discount_total, tax_total, total, property_id, shipping_address, billing_address,
                        customer_note, internal_note, metadata)
    select $1, $2, $3, order_number, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 from number
    returning order_number, created_at
  ), new_lines as (
    insert into order_lines (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount,
                             product_id, variant_id, description)
    select $1, $2, line.* from new_order, json_to_recordset($18::json) as line
      (position smallint, sku text, name text, quantity integer, unit_price numeric, subtotal numeric,
       tax_amount numeric, product_id uuid, variant_id uuid, description text)
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select $19, $2, $20, $1, $21, $22, $23::json,
           ('{"order":{"orderNumber":' || to_json(order_number) || ',"createdAt":' ||
            to_json(to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || ',' || $24::text)::json
      from new_order
  )
  select order_number as "orderNumber", created_at as "createdAt" from new_order
