-- How many bytes of published events are kept for each tenant, by the day of their publication: the relay adds what it moves, and deletes
-- a day with its partition. It reads the published events once, in a few seconds per million. What a relay of the previous version
-- moves meanwhile is not counted.
create table event_bytes (
  tenant_id uuid not null,
  day date not null,
  -- Of the outbox, so that the relays of two shards do not wait for each other.
  shard smallint not null,
  bytes bigint not null,
  primary key (tenant_id, day, shard)
);
insert into event_bytes (tenant_id, day, shard, bytes)
select tenant_id, (published_at at time zone 'utc')::date, 0, sum(coalesce(size_bytes, octet_length(data::text)))
  from published_events
 group by 1, 2;
