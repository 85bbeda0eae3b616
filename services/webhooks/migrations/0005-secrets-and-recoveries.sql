-- Previous signing secrets, which sign together with the new one during the overlap of a rotation; and recoveries, which continue
-- after a crash.

alter table subscriptions
  add previous_secret_sealed bytea,
  add previous_secret_until timestamptz(3);

-- A recovery restarts the failed deliveries of one subscription in batches. Its row remains when it has finished.
create table recoveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- It restarts deliveries that failed at `since` or later, and before `until`.
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  matched integer not null,
  requeued integer not null default 0,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index recoveries_unfinished on recoveries (created_at) where finished_at is null;
create index recoveries_of_subscription on recoveries (tenant_id, subscription_id);
