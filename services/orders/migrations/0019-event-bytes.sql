-- How many bytes of events are kept for each tenant, for its quota (interface §19). The previous release continues to work.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0007-event-bytes.sql

grant select on event_bytes to tradepost_orders;
grant select, insert, update, delete on event_bytes to tradepost_orders_worker;
alter table event_bytes enable row level security, force row level security;
create policy one_tenant on event_bytes for select to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
create policy owner on event_bytes to current_user using (true);
create policy worker on event_bytes to tradepost_orders_worker using (true);
