-- The bytes of published events that are kept for each tenant, per day of publication. The relay adds the events that it moves,
-- and deletes a day with its partition. The migration reads the published events once, in a few seconds per million. Events that
-- a relay of the previous version moves meanwhile are not counted.
create table event_bytes (
  tenant_id uuid not null,
  day date not null,
  -- The shard of the outbox. It keeps the relays of two shards from waiting for each other.
  shard smallint not null,
  bytes bigint not null,
  primary key (tenant_id, day, shard)
);
insert into event_bytes (tenant_id, day, shard, bytes)
select tenant_id, (published_at at time zone 'utc')::date, 0, sum(coalesce(size_bytes, octet_length(data::text)))
  from published_events
 group by 1, 2;
