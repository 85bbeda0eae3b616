-- Events that a service has published and that did not arrive, according to the tallies that it sends. Also the indexes by which
-- operators find the service's own entries. The previous release continues to work.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0005-find-events-and-tally.sql

grant select, update on event_tally to tradepost_webhooks;

-- The time of publication up to which each service's tallies have been compared.
create table tallies (
  service text primary key,
  compared_until timestamptz not null
);

-- Times of publication that no tally covers: it was lost too, or this database was restored to an earlier time.
create table tally_gaps (
  service text not null,
  since timestamptz not null,
  until timestamptz not null check (until > since),
  noticed_at timestamptz not null default now(),
  primary key (service, since)
);

create table missing_events (
  tenant_id uuid not null,
  event_id uuid not null,
  service text not null,
  -- The start of its tally.
  published_since timestamptz not null,
  published_until timestamptz not null,
  noticed_at timestamptz not null default now(),
  primary key (tenant_id, event_id)
);

alter table missing_events enable row level security;
create policy all_tenants on missing_events to tradepost_webhooks using (true);
grant select, insert, update, delete on tallies, tally_gaps, missing_events to tradepost_webhooks;
