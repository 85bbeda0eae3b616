select claimed.*
  from unnest($1::smallint[]) as wanted (shard),
       lateral (
         select id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                actor::text as actor, data::text as data, shard
           from outbox
          where shard = wanted.shard and parked_at is null and next_try_at <= now()
            and not exists (select 1 from outbox older
                             where older.aggregate_id = outbox.aggregate_id and older.id < outbox.id
                               and older.attempts > 0 and older.parked_at is null and older.next_try_at > now())
          order by id
          limit 500
            for update) as claimed
