-- Figures count an order at its date, by its channel, and with what is to be paid. They are computed anew from all orders: changes of orders
-- wait meanwhile. Release 1.0.0 reads and adds up the figures of all channels as before.
-- works with: 1.0.0

-- `total`, rounded half up to the minor unit of the currency.
create function payable(total numeric, currency text) returns numeric immutable parallel safe
return round(total, case
  when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XDR', 'XOF',
                    'XPF', 'XSU', 'XUA') then 0
  when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
  when currency in ('CLF', 'UYW') then 4
  else 2 end);

-- Where an order is counted: the beginning of the quarter of an hour, and after it as many microseconds as its channel has in this list. So
-- the key of the figures, to which release 1.0.0 adds, stays the same.
create function figures_at(placed timestamptz, channel text) returns timestamptz stable parallel safe
return date_bin('15 minutes', placed, '2000-01-01 00:00Z')
  + array_position(array['storefront', 'b2b_portal', 'admin', 'import', 'mcp'], channel) * interval '1 microsecond';

create function count_order() returns trigger language plpgsql as $$
begin
  insert into order_deltas (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
  select new.tenant_id, figures_at(coalesce(new.placed_at, new.created_at), new.channel), new.currency,
         sum(sign), sum(sign) * payable(new.total, new.currency), sum(sign * paid), sum(sign * refunded),
         sum(sign * (status = 'placed' and payment_status <> 'refunded')::int),
         sum(sign * (payment_status in ('unpaid', 'partially_paid'))::int), sum(sign * (payment_status = 'failed')::int),
         sum(sign * (status = 'fulfilled')::int)
    from (values (1, new.status, new.payment_status, new.paid_total, new.refunded_total),
                 (-1, old.status, old.payment_status, old.paid_total, old.refunded_total))
         as counted (sign, status, payment_status, paid, refunded)
   where status <> 'cancelled'
  having count(*) > 0;
  return null;
end
$$;

-- Each of these locks the table against changes, not against reading.
create or replace trigger count_new_order after insert on orders for each row
  when (new.status <> 'cancelled' and new.lines is null) execute function count_order();
create or replace trigger count_changed_order after update of status, payment_status, paid_total, refunded_total on orders for each row
  when ((old.status, old.payment_status, old.paid_total, old.refunded_total)
        is distinct from (new.status, new.payment_status, new.paid_total, new.refunded_total))
  execute function count_order();
drop function count_new_order, count_changed_order;

lock table order_deltas, order_totals in share row exclusive mode;
update order_counters
   set at = default, currency = default, orders = 0, total = 0, paid = 0, refunded = 0, to_fulfill = 0, unpaid = 0, payment_failed = 0,
       to_deliver = 0
 where orders <> 0;
delete from order_deltas;
delete from only order_totals;
insert into order_totals (tenant_id, at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver)
select tenant_id, figures_at(coalesce(placed_at, created_at), channel), currency, count(*), sum(payable(total, currency)),
       sum(paid_total), sum(refunded_total), count(*) filter (where status = 'placed' and payment_status <> 'refunded'),
       count(*) filter (where payment_status in ('unpaid', 'partially_paid')), count(*) filter (where payment_status = 'failed'),
       count(*) filter (where status = 'fulfilled')
  from orders where status <> 'cancelled' group by 1, 2, 3;
