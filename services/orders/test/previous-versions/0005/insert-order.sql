  with customer as (
    select from customers
     where tenant_id = $1 and id = $2
       and not exists (select from idempotency_records
                        where tenant_id = $1 and route = $3 and key = $4
                          and created_at + interval '24 hours' > now())
  ), generated as (
    insert into order_counters as counter (tenant_id, next_number)
    select $1, 1002 from customer where $5::text is null
    on conflict (tenant_id) do update set next_number = counter.next_number + 1
    returning (next_number - 1)::text as order_number
  ), number as (
    select order_number from generated
    union all
    select $5 from customer where $5 is not null
  ), new_order as (
    insert into orders (order_number, tenant_id, id, customer_id, channel, currency, subtotal, shipping_total, discount_total, tax_total, total, property_id, shipping_address, billing_address, customer_note, internal_note, metadata, placed_by, placed_request_id, placed_event_id)
    select order_number, $1, $6, $2, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
      from number
    on conflict (tenant_id, order_number) do nothing
    returning order_number, created_at
  ), new_lines as (
    insert into order_lines (tenant_id, order_id, sku, name, quantity, unit_price, subtotal, tax_amount, product_id, variant_id, description, position)
    select $1, $6, line.*
      from new_order, unnest($23::text[], $24::text[], $25::integer[], $26::numeric[], $27::numeric[], $28::numeric[], $29::uuid[], $30::uuid[], $31::text[]) with ordinality as line
  ), decided as (
    select '"orderNumber":' || to_json(order_number) || ',"createdAt":' ||
           to_json(to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as members
      from new_order
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select $22, $6, $32, $1, $21, $33, $20, replace($34, '"pending":"' || $35 || '"', decided.members)::json
      from decided
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $1, $3, $4, $36, replace($37, '"pending":"' || $35 || '"', decided.members)::json
      from decided where $37 is not null
  )
  select exists (select from customer) as "customerFound", order_number as "orderNumber", created_at as "createdAt"
    from (values (1)) always left join new_order on true
