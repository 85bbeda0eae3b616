select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
       actor::text as actor, data::text as data, published_at::text as published_at
  from published_events
 where published_at <= $1::timestamptz and (published_at, id) > ($2::timestamptz, $3::bigint)
 order by published_at, id
 limit $4
