-- The schema of release 1.0.0: customers, orders with their lines and timelines, search words, figures, erasures, and the outbox.
-- Every primary and foreign key begins with the tenant, so no row can refer to a row of another tenant.
-- works with: 1.0.0

-- While a table is empty, the planner considers all of its indexes equally good, chooses the newest, and keeps that plan until the
-- next ANALYZE. So the primary keys, which look-ups and foreign keys use, are created after the other indexes, and an index that is
-- created after a primary key is partial: only a query with its condition considers it.

create table customers (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  email text,
  phone text,
  external_id text,
  -- json, not jsonb: it is returned verbatim, with all digits and in the same key order.
  metadata json,
  created_at timestamptz(3) not null default now(),
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  -- A column, because row-level security allows an index only for conditions without functions such as lower().
  email_lower text generated always as (lower(email)) stored,
  -- Its search words, each after a blank. They are found in TypeScript.
  search_text text,
  erased_at timestamptz(3),
  constraint customers_external_id_key unique (tenant_id, external_id)
);
create index customers_newest_first on customers (tenant_id, created_at desc, id desc);
alter table customers add primary key (tenant_id, id);
create index customers_updated on customers (tenant_id, updated_at) where updated_at is not null;
create index customers_of_email on customers (tenant_id, email_lower, created_at desc, id desc) where email_lower is not null;

-- The next generated order number of each tenant. The tenant's first order inserts the row.
create table order_counters (
  tenant_id uuid primary key,
  next_number bigint not null
);

-- Payments, shipments and status changes update an order several times, in a table that only grows.
create table orders (
  tenant_id uuid not null,
  id uuid not null,
  order_number text not null,
  status text not null default 'placed' check (status in ('placed', 'fulfilled', 'delivered', 'cancelled')),
  payment_status text not null default 'unpaid'
    check (payment_status in ('unpaid', 'failed', 'paid', 'partially_refunded', 'refunded')),
  customer_id uuid not null,
  channel text not null check (channel in ('storefront', 'b2b_portal', 'admin', 'import', 'mcp')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subtotal numeric(15, 4) not null check (subtotal >= 0),
  shipping_total numeric(15, 4) not null check (shipping_total >= 0),
  discount_total numeric(15, 4) not null check (discount_total >= 0),
  tax_total numeric(15, 4) not null check (tax_total >= 0),
  total numeric(15, 4) not null check (total >= 0),
  -- The largest total, rounded up to a minor unit, has one more digit than a total.
  paid_total numeric(16, 4) not null default 0 check (paid_total >= 0),
  refunded_total numeric(16, 4) not null default 0 check (refunded_total between 0 and paid_total),
  property_id text,
  shipping_address json,
  billing_address json,
  customer_note text,
  internal_note text,
  metadata json,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  tracking_number text,
  carrier text,
  cancel_reason text,
  -- The actor, the request and the id of `order.placed`.
  placed_by json,
  placed_request_id text,
  placed_event_id uuid,
  -- The channel's own id of the order.
  external_id text,
  updated_at timestamptz(3) not null default now(),
  -- Its search words, each after a blank: of the number, the external id and the tracking number.
  search_text text,
  constraint orders_order_number_key unique (tenant_id, order_number),
  constraint orders_total_adds_up check (total = subtotal + shipping_total + tax_total - discount_total)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index orders_newest_first on orders (tenant_id, created_at desc, id desc);
create index orders_of_status on orders (tenant_id, status, created_at desc, id desc);
create index orders_of_payment_status on orders (tenant_id, payment_status, created_at desc, id desc);
create index orders_of_channel on orders (tenant_id, channel, created_at desc, id desc);
create index orders_of_customer_newest_first on orders (tenant_id, customer_id, created_at desc, id desc);
alter table orders add primary key (tenant_id, id), add foreign key (tenant_id, customer_id) references customers;
create unique index orders_external_id_key on orders (tenant_id, external_id, channel) where external_id is not null;
create index orders_of_property on orders (tenant_id, property_id, created_at desc, id desc) where property_id is not null;
create index orders_updated on orders (tenant_id, updated_at) where updated_at is not null;
-- Counts the orders that are placed and paid without reading the others.
create index orders_ready_to_ship on orders (tenant_id)
  where status = 'placed' and payment_status in ('paid', 'partially_refunded');

create table order_lines (
  tenant_id uuid not null,
  order_id uuid not null,
  position smallint not null,
  sku text not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  unit_price numeric(15, 4) not null check (unit_price >= 0),
  subtotal numeric(15, 4) not null,
  tax_amount numeric(15, 4) not null check (tax_amount >= 0),
  product_id uuid,
  variant_id uuid,
  description text,
  -- The taxes of the line by name and rate.
  tax_lines json,
  primary key (tenant_id, order_id, position),
  foreign key (tenant_id, order_id) references orders,
  constraint order_lines_subtotal_adds_up check (subtotal = quantity * unit_price)
);

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
  primary key (tenant_id, order_id, version),
  foreign key (tenant_id, order_id) references orders
);

-- The tables of words find the rows that have a rare word. In the order of bytes, so that the words with a prefix are a range:
-- row-level security allows an index no other condition, because LIKE and @@ might disclose what they compare.
create table customer_words (
  tenant_id uuid not null,
  word text collate "C" not null,
  customer_id uuid not null,
  primary key (tenant_id, word, customer_id)
);
-- With the order's time, so that the newest orders are found without reading the others.
create table order_words (
  tenant_id uuid not null,
  word text collate "C" not null,
  created_at timestamptz(3) not null,
  order_id uuid not null,
  primary key (tenant_id, word, created_at, order_id)
);

-- The figures of a tenant's orders, by currency and by the quarter of an hour in which they were placed. Every time zone's days
-- begin at a quarter of an hour. A trigger adds the difference that each change makes to `order_deltas`, in the transaction of
-- the change, so that concurrent changes do not wait for one another; the service sums them into `order_totals` in the
-- background.
create table order_totals (
  tenant_id uuid not null,
  -- The beginning of the quarter of an hour.
  at timestamptz not null,
  currency text not null,
  -- Cancelled orders count nowhere.
  orders integer not null,
  total numeric not null,
  paid numeric not null,
  refunded numeric not null,
  to_fulfill integer not null,
  unpaid integer not null,
  payment_failed integer not null,
  to_deliver integer not null,
  primary key (tenant_id, at, currency)
);
-- Each row is deleted seconds after it was written.
create table order_deltas (
  like order_totals,
  id bigint generated always as identity,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

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
alter table erasures add primary key (tenant_id, id);

-- include: @tradepost/messaging/sql/0001-outbox.sql

-- Each feed reads published events by an index that has only its own: a shop may import many customers between two orders.
create index published_events_of_customers on published_events (tenant_id, xid, id)
  where type like 'customer.%';
create index published_events_of_orders on published_events (tenant_id, xid, id)
  where type not like 'customer.%';

-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql
-- include: @tradepost/postgres/sql/deleted-tenants.sql
-- include: @tradepost/postgres/sql/erased-customers.sql
-- include: @tradepost/postgres/sql/restores.sql
-- include: @tradepost/postgres/sql/day-partitions.sql
-- Published events are stored for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);

create function count_new_order() returns trigger language plpgsql as $$
begin
  insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
  values (new.tenant_id, date_bin('15 minutes', new.created_at, '2000-01-01 00:00Z'), new.currency,
          1, new.total, new.paid_total, new.refunded_total,
          (new.status = 'placed' and new.payment_status <> 'refunded')::int, (new.payment_status = 'unpaid')::int,
          (new.payment_status = 'failed')::int, (new.status = 'fulfilled')::int);
  return null;
end
$$;

create function count_changed_order() returns trigger language plpgsql as $$
declare
  was integer := (old.status <> 'cancelled')::int;
  "is" integer := (new.status <> 'cancelled')::int;
begin
  insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
  values (new.tenant_id, date_bin('15 minutes', new.created_at, '2000-01-01 00:00Z'), new.currency,
          "is" - was, "is" * new.total - was * old.total, "is" * new.paid_total - was * old.paid_total,
          "is" * new.refunded_total - was * old.refunded_total,
          (new.status = 'placed' and new.payment_status <> 'refunded')::int
            - (old.status = 'placed' and old.payment_status <> 'refunded')::int,
          "is" * (new.payment_status = 'unpaid')::int - was * (old.payment_status = 'unpaid')::int,
          "is" * (new.payment_status = 'failed')::int - was * (old.payment_status = 'failed')::int,
          (new.status = 'fulfilled')::int - (old.status = 'fulfilled')::int);
  return null;
end
$$;

create trigger count_new_order after insert on orders for each row
  when (new.status <> 'cancelled') execute function count_new_order();
create trigger count_changed_order after update of status, payment_status, paid_total, refunded_total on orders for each row
  when ((old.status, old.payment_status, old.paid_total, old.refunded_total)
        is distinct from (new.status, new.payment_status, new.paid_total, new.refunded_total))
  execute function count_changed_order();

-- Roles belong to the server, not to the database: they may already exist (deploy/postgres/). The service acts as a role that sees
-- one tenant's rows at a time, its workers as a role for all tenants. The owner only migrates.
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

revoke create on schema public from public;
grant usage on schema public to tradepost_orders, tradepost_orders_worker;
-- The service reads from it whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_orders, tradepost_orders_worker;

-- The rights of the service. It cannot change the amounts of an order, its lines or its customer.
grant select, insert, update on customers, order_counters to tradepost_orders;
grant select, insert on orders, order_lines, order_changes to tradepost_orders;
grant update (status, payment_status, paid_total, refunded_total, version, tracking_number, carrier, cancel_reason, updated_at,
              customer_note, internal_note, metadata, shipping_address, billing_address, search_text)
  on orders to tradepost_orders;
grant select, insert, delete on customer_words, order_words to tradepost_orders;
grant select on order_totals to tradepost_orders;
grant select, insert on order_deltas to tradepost_orders;
grant select, insert, delete on idempotency_records to tradepost_orders;
grant select, insert on outbox to tradepost_orders;
grant select on published_events, deleted_tenants, restores to tradepost_orders;
grant select, insert, update on event_bytes, erasures to tradepost_orders;
-- Only added to. Operators read it, as the owner.
grant insert on erased_customers to tradepost_orders;
-- The columns that an erasure rewrites in addition to the customer and the texts of orders.
grant update (details) on order_changes to tradepost_orders;
grant update (answer) on idempotency_records to tradepost_orders;
grant update (data) on outbox to tradepost_orders;
grant update (data, size_bytes) on published_events to tradepost_orders;

-- The rights of the workers.
grant select, update, delete on outbox to tradepost_orders_worker;
grant select on sequence outbox_id_seq to tradepost_orders_worker;
grant select, insert on published_events to tradepost_orders_worker;
-- After a restore, the events get another transaction id.
grant update (xid) on published_events to tradepost_orders_worker;
grant select, insert, update, delete on replay, event_bytes to tradepost_orders_worker;
grant select, update on event_tally to tradepost_orders_worker;
grant select, delete on idempotency_records to tradepost_orders_worker;
grant select, insert, update on order_totals to tradepost_orders_worker;
grant select, update, delete on order_deltas to tradepost_orders_worker;
grant select (tenant_id, id, created_at, finished_at) on erasures to tradepost_orders_worker;
grant execute on function make_day, drop_day to tradepost_orders_worker;

-- The service's role sees the rows of the tenant that is set on its connection, and no rows if none is set. The policies
-- also apply to the owner, which has a policy for all rows: migrations and operators act as the owner.
do $$
declare
  one_table text;
begin
  foreach one_table in array array['customers', 'order_counters', 'orders', 'order_lines', 'order_changes', 'customer_words',
                                   'order_words', 'order_totals', 'order_deltas', 'erasures', 'idempotency_records', 'outbox',
                                   'published_events', 'replay', 'event_bytes'] loop
    execute format('alter table %I enable row level security, force row level security', one_table);
    execute format('create policy owner on %I to current_user using (true)', one_table);
  end loop;
  foreach one_table in array array['customers', 'order_counters', 'orders', 'order_lines', 'order_changes', 'customer_words',
                                   'order_words', 'order_totals', 'order_deltas', 'erasures', 'idempotency_records', 'outbox'] loop
    execute format(
      $policy$create policy one_tenant on %I to tradepost_orders
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, one_table);
  end loop;
  foreach one_table in array array['published_events', 'event_bytes'] loop
    execute format(
      $policy$create policy one_tenant on %I for select to tradepost_orders
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, one_table);
  end loop;
  foreach one_table in array array['order_totals', 'order_deltas', 'erasures', 'idempotency_records', 'outbox',
                                   'published_events', 'replay', 'event_bytes'] loop
    execute format('create policy worker on %I to tradepost_orders_worker using (true)', one_table);
  end loop;
end
$$;
create policy one_tenant_changes on published_events for update to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
create policy one_tenant_changes on event_bytes to tradepost_orders
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);

-- A request that was in progress while its tenant was deleted cannot write an event, and so changes nothing; a customer has no
-- event that the policy of the outbox would refuse. The condition names no column, so a statement looks the tenant up once, however
-- many rows it inserts.
create policy not_deleted on outbox as restrictive for insert to tradepost_orders
  with check (not exists (
    select from deleted_tenants
     where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))));
create policy not_deleted on customers as restrictive for insert to tradepost_orders
  with check (not exists (
    select from deleted_tenants
     where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))));
