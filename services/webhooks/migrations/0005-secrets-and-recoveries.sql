-- A signing secret that was replaced signs beside the new one until its overlap is over; and recoveries, which a crash
-- in the middle leaves to be finished.

alter table subscriptions
  add previous_secret_sealed bytea,
  add previous_secret_until timestamptz(3);

-- Failed deliveries of one subscription that are sent again, batch by batch. A finished one stays, as a record.
create table recoveries (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- Deliveries that failed from then on, and before then.
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
