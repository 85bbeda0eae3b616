-- How many bytes of events are kept for each tenant, for its quota, and a notice about each quota (interface §19). Filling it
-- reads the events with their data once, which takes minutes for several GB and locks nothing. Events that the previous release
-- receives meanwhile are not counted.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0007-event-bytes.sql

-- Received events by the day of their occurrence; a day is deleted with its partition.
create table received_bytes (
  tenant_id uuid not null,
  day date not null,
  -- Chosen by the process that received them, so that processes seldom wait for one another.
  part smallint not null,
  bytes bigint not null,
  primary key (tenant_id, day, part)
);
insert into received_bytes (tenant_id, day, part, bytes)
select tenant_id, (occurred_at at time zone 'utc')::date, 0, sum(octet_length(data::text)) from events group by 1, 2;

-- The subject of a notice about the whole tenant, so that several of one kind can be open.
alter table notices add column about text not null default '';
drop index notices_open;
create unique index notices_open on notices (tenant_id, subscription_id, kind, about) nulls not distinct where closed_at is null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['event_bytes', 'received_bytes'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy all_tenants on %I to tradepost_webhooks using (true)', tenant_table);
  end loop;
end
$$;
grant select, insert, update, delete on event_bytes, received_bytes to tradepost_webhooks;
create policy one_tenant on received_bytes for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select on received_bytes to tradepost_webhooks_tenant;
