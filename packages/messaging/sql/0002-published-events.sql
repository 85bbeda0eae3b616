-- Events that the broker has confirmed, in partitions by day. A replay publishes them again after the broker or a queue has
-- lost its messages; consumers deduplicate by event id.
create table published_events (
  id bigint not null,
  event_id uuid not null,
  aggregate_id uuid not null,
  type text not null,
  tenant_id uuid not null,
  occurred_at timestamptz(3) not null,
  request_id text not null,
  traceparent text not null,
  actor json not null,
  data json not null,
  published_at timestamptz not null default now(),
  primary key (published_at, id)
) partition by range (published_at);
create table published_events_other partition of published_events default;

-- The requested replay and its progress; at most one row.
create table replay (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null,
  after_published_at timestamptz not null default '-infinity',
  after_id bigint not null default 0
);
