-- The tenant's counter sums up the figures of new orders, whose statement changes its row anyway: a new order needs no row in
-- `order_deltas`, which is deleted again. The counters inherit from `order_totals`, so whoever reads the totals, as release 1.0.0
-- does, also reads the figures in the counters.
-- works with: 1.0.0

-- An order that has lines in its row was inserted by a statement that counts it. Release 1.0.0 inserts others. Tables are locked in
-- the order in which requests lock them: orders first.
drop trigger count_new_order on orders;
create trigger count_new_order after insert on orders for each row
  when (new.status <> 'cancelled' and new.lines is null) execute function count_new_order();

alter table order_counters
  -- The quarter of an hour and the currency of the figures.
  add column at timestamptz not null default '-infinity',
  add column currency text not null default '',
  add column orders integer not null default 0,
  add column total numeric not null default 0,
  add column paid numeric not null default 0,
  add column refunded numeric not null default 0,
  add column to_fulfill integer not null default 0,
  add column unpaid integer not null default 0,
  add column payment_failed integer not null default 0,
  add column to_deliver integer not null default 0,
  inherit order_totals;

create function move_figures() returns trigger language plpgsql as $$
begin
  insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
  values (old.tenant_id, old.at, old.currency, old.orders, old.total, old.paid, old.refunded, old.to_fulfill, old.unpaid,
          old.payment_failed, old.to_deliver);
  return null;
end
$$;
create trigger move_figures after update on order_counters for each row
  when (old.orders > 0 and (old.at, old.currency) is distinct from (new.at, new.currency)) execute function move_figures();
