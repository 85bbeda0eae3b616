-- Who wants to hear of what, and what became of each telling. Postgres holds the truth about every delivery; the
-- broker's queues only make it prompt.

create table subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- AES-256-GCM under the service's key: a copy of the database signs nothing.
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

-- An event as it came, once, however many subscriptions hear of it.
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
  -- No foreign key: the log outlives the subscription.
  subscription_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null
    check (status in ('pending', 'retrying', 'delivered', 'failed', 'paused', 'cancelled')),
  -- Attempts made in this generation; a redelivery or redrive begins the next generation at 0.
  attempt_count smallint not null default 0,
  generation integer not null default 1,
  created_at timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3),
  completed_at timestamptz(3),
  -- When it was last put on the broker; null asks the sweep to do it now.
  enqueued_at timestamptz,
  -- Set while an attempt is under way; past means that whoever made it died.
  locked_until timestamptz,
  -- Set while it lies in webhooks.dead for the operator.
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
