-- The transitions of an order, the responses to Idempotency-Keys, and row-level security: the service acts as a role that
-- sees one tenant's rows at a time, its workers as a role for all tenants.
-- The previous version of the service still works: it acts as the owner, which the policies do not restrict.

alter table orders
  add tracking_number text,
  add carrier text,
  add cancel_reason text,
  -- The actor, the request and the id of `order.placed`. Null in rows of the previous version.
  add placed_by json,
  add placed_request_id text,
  add placed_event_id uuid,
  -- The largest total, rounded up to a minor unit, has one more digit than a total.
  alter paid_total type numeric(16, 4),
  alter refunded_total type numeric(16, 4);

create index orders_of_status on orders (tenant_id, status, created_at desc, id desc);
create index orders_of_payment_status on orders (tenant_id, payment_status, created_at desc, id desc);
create index orders_of_channel on orders (tenant_id, channel, created_at desc, id desc);
create index orders_of_customer_newest_first on orders (tenant_id, customer_id, created_at desc, id desc);
drop index orders_of_customer;

-- The timeline: each transition of an order since `order.placed`. Rows are only inserted.
create table order_changes (
  tenant_id uuid not null,
  order_id uuid not null,
  -- The order's version after this transition.
  version integer not null,
  type text not null,
  status text not null,
  payment_status text not null,
  -- The payment, the refund, the parcel or the reason.
  details json not null,
  event_id uuid not null,
  actor json not null,
  request_id text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, order_id, version)
);

-- The first response to each Idempotency-Key, inserted in the transaction of the request. Deleted after 24 hours.
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
-- Rows are deleted after a day, so compressing them is not worth its CPU time.
alter table idempotency_records alter answer set storage external;

-- While a table is empty, the planner considers all of its indexes equally good, chooses the newest, and keeps that plan
-- until the next ANALYZE. So the primary keys, which look-ups and foreign keys use, are created last.
alter table order_lines drop constraint order_lines_tenant_id_order_id_fkey;
alter table orders drop constraint orders_tenant_id_customer_id_fkey;
alter table customers drop constraint customers_pkey, add primary key (tenant_id, id);
alter table orders drop constraint orders_pkey, add primary key (tenant_id, id);
alter table orders add foreign key (tenant_id, customer_id) references customers;
alter table order_lines add foreign key (tenant_id, order_id) references orders;
alter table order_changes add foreign key (tenant_id, order_id) references orders;

-- Roles belong to the server, not to the database: they may already exist (deploy/postgres/).
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
        raise exception 'role % does not exist and % may not create it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

-- The rights of each role. The service cannot change the amounts of an order, its lines or its timeline.
grant usage on schema public to tradepost_orders, tradepost_orders_worker;
grant select, insert, update on customers, order_counters to tradepost_orders;
grant select, insert on orders, order_lines, order_changes to tradepost_orders;
grant update (status, payment_status, paid_total, refunded_total, version, tracking_number, carrier, cancel_reason)
  on orders to tradepost_orders;
grant select, insert, delete on idempotency_records to tradepost_orders;
grant insert on outbox to tradepost_orders;
grant select, update, delete on outbox to tradepost_orders_worker;
grant select, delete on idempotency_records to tradepost_orders_worker;

-- The service's role sees the rows of the tenant that is set on its connection, and no rows if none is set. The policies
-- also apply to the owner, which has a policy for all rows: migrations, operators and the previous version act as the owner.
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
