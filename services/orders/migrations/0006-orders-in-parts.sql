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
