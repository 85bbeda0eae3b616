-- The change feed reads a tenant's events from the outbox and from the published events.

-- include: @tradepost/messaging/sql/0004-change-feed.sql

grant select on outbox, published_events to tradepost_orders;
-- After a restore, the events get another transaction id.
grant update (xid) on published_events to tradepost_orders_worker;
grant select on sequence outbox_id_seq to tradepost_orders_worker;
create policy one_tenant on published_events for select to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
