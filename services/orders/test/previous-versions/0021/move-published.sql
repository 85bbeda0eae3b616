  with published as (
    delete from outbox where id = any($1::bigint[])
    returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes,
              xid, shard
  ), latest as (
    select greatest(
             (select tallied_until from event_tally where tallied_until < now() + interval '1 day'),
             (select published_at from published_events
               where published_at > now() - interval '1 day' and published_at < now() + interval '1 day'
               order by published_at desc limit 1)) as published_at
  ), time as (
    select greatest(clock_timestamp(), published_at + interval '1 microsecond') as published_at from latest
  ), counted as (
    insert into event_bytes as counted (tenant_id, day, shard, bytes)
    select tenant_id, (published_at at time zone 'utc')::date, shard, sum(size_bytes)
      from published, time group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, day, shard) do update set bytes = counted.bytes + excluded.bytes
  )
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                actor, data, size_bytes, xid, published_at)
  select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data, size_bytes, xid,
         published_at
    from published, time
