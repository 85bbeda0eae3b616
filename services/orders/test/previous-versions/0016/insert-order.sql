  with existing as (
    select id from orders
     where tenant_id = $1 and channel = $2 and external_id = $3
       and exists (select from customers where tenant_id = $1 and id = $4)
  ), customer as (
    select from customers
     where tenant_id = $1 and id = $4
       and not exists (select from existing)
       and not exists (select from idempotency_records
                        where tenant_id = $1 and route = $5 and key = $6
                          and created_at + interval '24 hours' > now())
  ), generated as (
    insert into order_counters as counter (tenant_id, next_number)
    select $1, 1002 from customer where $7::text is null
    on conflict (tenant_id) do update set next_number = counter.next_number + 1
    returning (next_number - 1)::text as order_number
  ), number as (
    select order_number from generated
    union all
    select $7 from customer where $7 is not null
  ), new_order as (
    insert into orders (order_number, tenant_id, id, customer_id, channel, currency, subtotal, shipping_total, discount_total, tax_total, total, external_id, property_id, shipping_address, billing_address, customer_note, internal_note, metadata, placed_by, placed_request_id, placed_event_id, search_text, search_version)
    select order_number, $1, $8, $4, $2, $9, $10, $11, $12, $13, $14, $3, $15, $16, $17, $18, $19, $20, $21, $22, $23,
           concat(case when $7 is null then ' ' || order_number end, $24::text), 1
      from number
    on conflict (tenant_id, order_number) do nothing
    returning order_number, created_at, updated_at
  ), new_lines as (
    insert into order_lines (tenant_id, order_id, sku, name, quantity, unit_price, subtotal, tax_amount, product_id, variant_id, description, tax_lines, position)
    select $1, $8, line.*
      from new_order, unnest($25::text[], $26::text[], $27::integer[], $28::numeric[], $29::numeric[], $30::numeric[], $31::uuid[], $32::uuid[], $33::text[], $34::json[]) with ordinality as line
  ), new_words as (
    insert into order_words (tenant_id, word, created_at, order_id)
    select $1, word, created_at, $8
      from new_order, unnest($35::text[] || case when $7 is null then order_number end) word
     where word is not null
    on conflict do nothing
  ), decided as (
    select '"orderNumber":' || to_json(order_number) || ',"createdAt":' || to_json(to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text ||
           ',"updatedAt":' || to_json(to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text as members
      from new_order
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select $23, $8, $36, $1, $22, $37, $21, replace($38, '"pending":"' || $39 || '"', decided.members)::json
      from decided
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $1, $5, $6, $40, replace($41, '"pending":"' || $39 || '"', decided.members)::json
      from decided where $41 is not null
  )
  select (select id from existing) as "existingId", exists (select from customer) as "customerFound",
         order_number as "orderNumber", created_at as "createdAt", updated_at as "updatedAt"
    from (values (1)) always left join new_order on true
