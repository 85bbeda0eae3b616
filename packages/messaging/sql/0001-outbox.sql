-- The outbox: events that are not published yet. A service inserts an event in the transaction of the change; the relay
-- publishes it.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  aggregate_id uuid not null,
  -- One relay at a time publishes a shard. All events of an aggregate are in one shard, which keeps their order.
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
