-- Orders are paid, shipped and refunded in parts. Release 1.0.0 reads and changes such orders as before: what it fulfills or delivers
-- is read from the timeline.
-- works with: 1.0.0

-- Not validated, so that no row is read: the rows that exist pass these checks.
alter table orders
  drop constraint orders_payment_status_check,
  add constraint orders_payment_status_check
    check (payment_status in ('unpaid', 'failed', 'partially_paid', 'paid', 'partially_refunded', 'refunded')) not valid,
  -- {status, list: [{id, lines: [[position, quantity]], trackingNumber, carrier, shippedAt, deliveredAt}]}, the latest one last; null until
  -- a shipment is recorded. If `status` is not the order's, release 1.0.0 has changed the order since.
  add column shipments json,
  -- The refunded units of each line, by its position; null if there are none.
  add column refunded_quantities integer[],
  -- Release 1.0.0 would cancel an order of which a part is shipped.
  add constraint orders_shipped_is_not_cancelled check (status <> 'cancelled' or shipments is null) not valid;
grant update (shipments, refunded_quantities) on orders to tradepost_orders;

-- A partially paid order counts as unpaid.
create or replace function count_new_order() returns trigger language plpgsql as $$
begin
  insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
  values (new.tenant_id, date_bin('15 minutes', new.created_at, '2000-01-01 00:00Z'), new.currency,
          1, new.total, new.paid_total, new.refunded_total,
          (new.status = 'placed' and new.payment_status <> 'refunded')::int,
          (new.payment_status in ('unpaid', 'partially_paid'))::int, (new.payment_status = 'failed')::int,
          (new.status = 'fulfilled')::int);
  return null;
end
$$;

create or replace function count_changed_order() returns trigger language plpgsql as $$
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
          "is" * (new.payment_status in ('unpaid', 'partially_paid'))::int
            - was * (old.payment_status in ('unpaid', 'partially_paid'))::int,
          "is" * (new.payment_status = 'failed')::int - was * (old.payment_status = 'failed')::int,
          (new.status = 'fulfilled')::int - (old.status = 'fulfilled')::int);
  return null;
end
$$;
