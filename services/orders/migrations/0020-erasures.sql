-- Erasing a customer. The previous release continues to work; it does not refuse to change an erased customer, so customers are
-- erased only once it no longer runs.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/erased-customers.sql

-- The service only adds to it. Operators read it, as the owner.
grant insert on erased_customers to tradepost_orders;

alter table customers add column erased_at timestamptz(3);

create table erasures (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  -- Who asked for it, and in which request: for the events of the changes.
  actor json not null,
  request_id text not null,
  traceparent text not null,
  -- The audit entry. Nothing is erased before the broker has it: from it the gateway maintains the second list of erased
  -- customers. Null if the gateway's list has the customer.
  audit_event_id uuid,
  -- The next step, and where it continues. Null once it is finished.
  progress json,
  rows integer not null default 0,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  constraint erasures_once_for_each_customer unique (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customers
);
create index erasures_running on erasures (created_at) where finished_at is null;
-- Created last: while a table is empty, the planner chooses the newest of its indexes and keeps that plan.
alter table erasures add primary key (tenant_id, id);

grant select, insert, update on erasures to tradepost_orders;
grant select (tenant_id, id, created_at, finished_at) on erasures to tradepost_orders_worker;
alter table erasures enable row level security, force row level security;
create policy one_tenant on erasures to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
create policy owner on erasures to current_user using (true);
create policy worker on erasures to tradepost_orders_worker using (true);

-- The columns that an erasure rewrites in addition to the customer and the texts of orders.
grant update (details) on order_changes to tradepost_orders;
grant update (answer) on idempotency_records to tradepost_orders;
grant update (data) on outbox to tradepost_orders;
grant update (data, size_bytes) on published_events to tradepost_orders;
create policy one_tenant_changes on published_events for update to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant insert, update on event_bytes to tradepost_orders;
create policy one_tenant_changes on event_bytes to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
