-- When the customer placed the order, if that is not when it was created. Lists find the dates by an index that the orders of other tenants
-- cost nothing: from a tenant's first order with a date on, all its orders have one, and before that none.
-- works with: 1.0.0

alter table orders add column placed_at timestamptz(3);

-- When the tenant's first order with a date was inserted.
alter table order_counters add column dated_since timestamptz;

-- Release 1.0.0 inserts orders without dates, and their lines into `order_lines`.
create function date_order() returns trigger language plpgsql as $$
begin
  if exists (select from order_counters where tenant_id = new.tenant_id and dated_since is not null) then
    new.placed_at := new.created_at;
  end if;
  return new;
end
$$;
create trigger date_order before insert on orders for each row when (new.lines is null) execute function date_order();
