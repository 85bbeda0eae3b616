  with entry as (
    select placed_event_id as event_id, 'order.placed' as type, created_at, 1 as version, 'placed' as status,
           'unpaid' as payment_status, placed_by as actor, placed_request_id as request_id, '{}'::json as details
      from orders where tenant_id = $1 and id = $2
    union all
    select event_id, type, created_at, version, status, payment_status, actor, request_id, details
      from order_changes where tenant_id = $1 and order_id = $2
  )
  select event_id as "eventId", type, created_at as "createdAt", version, status, payment_status as "paymentStatus",
         actor, request_id as "requestId", details
    from entry
   where $3::uuid is null or version < (select version from entry where event_id = $3)
   order by version desc
   limit $4
