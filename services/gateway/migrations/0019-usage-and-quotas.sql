-- The tenants' quotas, and their use as the services last counted it (interface §19). The previous release continues to work; it
-- has no quotas.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0007-event-bytes.sql
grant select, insert, update, delete on event_bytes to tradepost_gateway;

alter table tenants
  -- Null means the default of the settings, 0 no quota.
  add column media_bytes_max bigint check (media_bytes_max >= 0),
  add column event_bytes_max bigint check (event_bytes_max >= 0),
  -- The quotas with an open notice.
  add column near_quotas text[] not null default '{}';
create index tenants_near_quotas on tenants (id) where near_quotas <> '{}';

create table tenant_usage (
  tenant_id uuid not null references tenants,
  service text not null,
  media_bytes bigint not null,
  event_bytes bigint not null,
  bytes_at timestamptz not null,
  -- Other counts of the service, by name. Counted on demand only.
  counts jsonb not null default '{}',
  counts_at timestamptz not null default '-infinity',
  primary key (tenant_id, service)
);
create index tenant_usage_to_count on tenant_usage (tenant_id) where bytes_at = '-infinity';
grant select, insert, update on tenant_usage to tradepost_gateway;
