-- URL redirects and the outbox that tells of them.

create table redirects (
  tenant_id uuid not null,
  id uuid not null,
  -- Normalised: what is looked up is what is stored.
  from_path text not null,
  to_target text not null,
  -- The normalised path of a target on the same site, by which chains are followed; null for another site.
  to_path text,
  type smallint not null check (type in (301, 302, 307, 308)),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint redirects_from_key unique (tenant_id, from_path)
);

create index redirects_newest_first on redirects (tenant_id, created_at desc, id desc);

-- Events not published yet; the relay deletes what the broker confirmed.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  aggregate_id uuid not null,
  -- One relay at a time works on a shard; the events of one aggregate are always in the same one.
  shard smallint not null generated always as (get_byte(uuid_send(aggregate_id), 15) % 4) stored,
  type text not null,
  tenant_id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  request_id text not null,
  traceparent text not null,
  actor json not null,
  data json not null,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  parked_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index outbox_pending on outbox (shard, id) where parked_at is null;
create index outbox_held_back on outbox (aggregate_id, id) where attempts > 0 and parked_at is null;
