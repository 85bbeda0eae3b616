-- Events that the broker confirmed, kept by day for a while: where the broker has lost its data, or a queue, they are
-- published again, and whoever consumed them before knows them by their ids.

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

-- At most one row: events are to be published again, and how far that has come.
create table replay (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null,
  after_published_at timestamptz not null default '-infinity',
  after_id bigint not null default 0
);

grant insert, select on published_events to tradepost_orders_worker;
grant select, insert, update, delete on replay to tradepost_orders_worker;
alter table published_events enable row level security, force row level security;
alter table replay enable row level security, force row level security;
create policy owner on published_events to current_user using (true);
create policy owner on replay to current_user using (true);
create policy worker on published_events to tradepost_orders_worker using (true);
create policy worker on replay to tradepost_orders_worker using (true);
