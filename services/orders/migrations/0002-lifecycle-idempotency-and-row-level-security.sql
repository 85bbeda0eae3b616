-- What happens to an order after it is placed, the answers kept for Idempotency-Keys, and row-level security: the
-- service acts as a role that sees one tenant's rows at a time, its workers as one that serves all tenants.
-- A version of the service from before this file goes on working: it acts as the owner, whom every policy lets through.

alter table orders
  add tracking_number text,
  add carrier text,
  add cancel_reason text,
  -- Who placed it, under which request, and which event told of it. Null in what an older version writes.
  add placed_by json,
  add placed_request_id text,
  add placed_event_id uuid,
  -- The largest total, rounded up to what can be paid, has one digit more than a total.
  alter paid_total type numeric(16, 4),
  alter refunded_total type numeric(16, 4);

create index orders_of_status on orders (tenant_id, status, created_at desc, id desc);
create index orders_of_payment_status on orders (tenant_id, payment_status, created_at desc, id desc);
create index orders_of_channel on orders (tenant_id, channel, created_at desc, id desc);
create index orders_of_customer_newest_first on orders (tenant_id, customer_id, created_at desc, id desc);
drop index orders_of_customer;

-- Each transition of an order after its placing: what the timeline shows. Rows are only ever added.
create table order_changes (
  tenant_id uuid not null,
  order_id uuid not null,
  -- The order's version that this transition made.
  version integer not null,
  type text not null,
  status text not null,
  payment_status text not null,
  -- What the event tells beside the order: the payment, the refund, the parcel, the reason.
  details json not null,
  event_id uuid not null,
  actor json not null,
  request_id text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, order_id, version)
);

-- The first answer to each Idempotency-Key, written in the transaction of what it answers for. Kept for 24 hours.
create table idempotency_records (
  tenant_id uuid not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, route, key)
);

create index idempotency_records_oldest_first on idempotency_records (created_at);
-- A day is too short for compressing to pay.
alter table idempotency_records alter answer set storage external;

-- A plan that is made while a table is empty finds all of its indexes equally good, takes the one made last, and is kept
-- until the next ANALYZE. So the primary keys, by which every look-up and foreign key goes, are made last.
alter table order_lines drop constraint order_lines_tenant_id_order_id_fkey;
alter table orders drop constraint orders_tenant_id_customer_id_fkey;
alter table customers drop constraint customers_pkey, add primary key (tenant_id, id);
alter table orders drop constraint orders_pkey, add primary key (tenant_id, id);
alter table orders add foreign key (tenant_id, customer_id) references customers;
alter table order_lines add foreign key (tenant_id, order_id) references orders;
alter table order_changes add foreign key (tenant_id, order_id) references orders;

-- Roles belong to the server, not to the database: they may have been made beforehand (deploy/postgres/).
do $$
declare
  role_name text;
begin
  foreach role_name in array array['tradepost_orders', 'tradepost_orders_worker'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        raise exception 'role % is missing, and % may not make it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

-- What each may do. The amounts of an order, and what happened to it, are for nobody to change.
grant usage on schema public to tradepost_orders, tradepost_orders_worker;
grant select, insert, update on customers, order_counters to tradepost_orders;
grant select, insert on orders, order_lines, order_changes to tradepost_orders;
grant update (status, payment_status, paid_total, refunded_total, version, tracking_number, carrier, cancel_reason)
  on orders to tradepost_orders;
grant select, insert, delete on idempotency_records to tradepost_orders;
grant insert on outbox to tradepost_orders;
grant select, update, delete on outbox to tradepost_orders_worker;
grant select, delete on idempotency_records to tradepost_orders_worker;

-- Whose rows: the service's role sees those of the tenant that its connection was told of, and none where it was told
-- of none. The owner, forced under the policies too, is let through by one of its own: migrations, operators and the
-- version before this one work as it.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['customers', 'order_counters', 'orders', 'order_lines', 'order_changes',
                                      'idempotency_records', 'outbox'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I to tradepost_orders
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end
$$;
create policy worker on outbox to tradepost_orders_worker using (true);
create policy worker on idempotency_records to tradepost_orders_worker using (true);
