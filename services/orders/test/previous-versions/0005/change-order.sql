  with changed as (
    update orders
       set version = version + 1, status = $1, payment_status = $2,
           paid_total = $3, refunded_total = $4,
           tracking_number = $5, carrier = $6, cancel_reason = $7
     where tenant_id = $8 and id = $9 and version = $10
    returning version
  ), timeline_entry as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $8, $9, version, $11, $1, $2,
           $12, $13, $14::json, $15, statement_timestamp()
      from changed
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, occurred_at)
    select $13, $9, $11, $8, $15, $16, $14, $17, statement_timestamp()
      from changed
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $8, $18, $19::text, $20, $21
      from changed where $19 is not null
  )
  select version from changed
