-- Subscriptions, events, deliveries and attempts. Postgres decides what is due; the broker's queues only make it prompt.

create table subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- AES-256-GCM under the service's key: a copy of the database cannot sign.
  secret_sealed bytea not null,
  secret_preview text not null,
  consecutive_failures integer not null default 0,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create index subscriptions_newest_first on subscriptions (tenant_id, created_at desc, id desc);

-- Each event once, as it was received, however many subscriptions match it.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  request_id text not null,
  data json not null,
  received_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create table deliveries (
  tenant_id uuid not null,
  id uuid not null,
  -- No foreign key: the log remains after the subscription is deleted.
  subscription_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null
    check (status in ('pending', 'retrying', 'delivered', 'failed', 'paused', 'cancelled')),
  -- The attempts of this generation. A redelivery, recovery or redrive starts the next generation at 0.
  attempt_count smallint not null default 0,
  generation integer not null default 1,
  created_at timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3),
  completed_at timestamptz(3),
  -- When its message was last published. The sweep publishes it if this is null.
  enqueued_at timestamptz,
  -- Set during an attempt. A time in the past means that the process that made the attempt has died.
  locked_until timestamptz,
  -- Set while it is a dead letter in webhooks.dead.
  dead_since timestamptz(3),
  primary key (tenant_id, id),
  constraint deliveries_once_for_each_pair unique (tenant_id, event_id, subscription_id),
  foreign key (tenant_id, event_id) references events,
  check ((next_attempt_at is not null) = (status in ('pending', 'retrying')))
);

create index deliveries_newest_first on deliveries (tenant_id, created_at desc, id desc);
create index deliveries_of_subscription on deliveries (tenant_id, subscription_id, created_at desc, id desc);
create index deliveries_due on deliveries (next_attempt_at) where status in ('pending', 'retrying');
create index deliveries_dead on deliveries (dead_since) where dead_since is not null;
create index deliveries_dead_not_laid on deliveries (dead_since) where dead_since is not null and enqueued_at is null;

create table attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  generation integer not null,
  attempt smallint not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  outcome text not null check (outcome in ('delivered', 'http_status', 'timeout', 'dns_failed', 'connection_refused',
    'connection_reset', 'tls_failed', 'address_refused', 'response_invalid', 'network_error')),
  status_code smallint,
  response_body text,
  primary key (tenant_id, delivery_id, generation, attempt),
  foreign key (tenant_id, delivery_id) references deliveries
);
