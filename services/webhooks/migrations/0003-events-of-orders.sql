-- The types of orders that tenants may subscribe to, by the operator's setting, and which attempts are of their events (interface §24).
-- works with: 1.0.0

create table offered_types (
  type text primary key,
  -- The queue is bound to the type. An earlier event may not have come.
  since timestamptz not null default now()
);
-- Null for an attempt at any other event.
alter table attempts add column is_of_order boolean;

grant select, insert, delete on offered_types to tradepost_webhooks;
grant select on offered_types to tradepost_webhooks_tenant;
