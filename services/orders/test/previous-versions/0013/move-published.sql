  with published as (
    delete from outbox where id = any($1::bigint[])
    returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes,
              xid
  )
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                actor, data, size_bytes, xid, published_at)
  select *, (select clock_timestamp()) from published
