-- The figures of a tenant's orders, by currency and by the quarter of an hour in which they were placed. Every time zone's days
-- begin at a quarter of an hour. A trigger adds the difference that each change makes to `order_deltas`, in the transaction of
-- the change, so that concurrent changes do not wait for one another; the service sums them into `order_totals` in the
-- background. Creating the triggers locks orders against changes for a moment. The previous release continues to work, and its
-- orders are counted.
-- works with: 0.2.0

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

create table order_deltas (
  like order_totals,
  id bigint generated always as identity,
  primary key (tenant_id, id)
);
-- Each row is deleted seconds after it was written.
alter table order_deltas set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
                              autovacuum_vacuum_cost_delay = 0);

grant select on order_totals to tradepost_orders;
grant select, insert on order_deltas to tradepost_orders;
grant select, insert, update on order_totals to tradepost_orders_worker;
grant select, update, delete on order_deltas to tradepost_orders_worker;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['order_totals', 'order_deltas'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I to tradepost_orders
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
    execute format('create policy worker on %I to tradepost_orders_worker using (true)', tenant_table);
  end loop;
end
$$;

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
