-- The settings of a tenant's shop (interface §23). The previous release ignores them.
-- works with: 1.0.0

alter table tenants
  add column currency text not null default 'USD',
  add column time_zone text not null default 'UTC',
  add column locale text not null default 'en',
  add column address json;
