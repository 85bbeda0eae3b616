-- Lines are stored in the row of their order: of an order with three lines, they were six of its rows and index entries.
-- Release 1.0.0 reads and inserts lines as before, through a view with the name of its table.
-- works with: 1.0.0

create type order_line_fields as (
  sku text,
  name text,
  quantity integer,
  unit_price numeric(15, 4),
  tax_amount numeric(15, 4),
  product_id uuid,
  variant_id uuid,
  description text,
  -- The taxes of the line by name and rate.
  tax_lines json
);
create domain order_line as order_line_fields check (
  (value).sku is not null and (value).name is not null and (value).quantity > 0 and (value).unit_price >= 0
  and (value).tax_amount >= 0);

-- In the order of their positions. Null if the lines are in `order_line_rows`, where 1.0.0 inserts them. The service may not change
-- it: its right to update orders is by column.
alter table orders add column lines order_line[];

alter table order_lines rename to order_line_rows;
alter index order_lines_pkey rename to order_line_rows_pkey;

-- All lines, wherever they are, with the rights and policies of who reads it.
create view order_lines with (security_invoker = true) as
  select tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount, product_id, variant_id, description,
         tax_lines
    from order_line_rows
  union all
  select tenant_id, id, position::smallint, sku, name, quantity, unit_price, (quantity * unit_price)::numeric(15, 4), tax_amount,
         product_id, variant_id, description, tax_lines
    from orders, unnest(lines) with ordinality
         as line (sku, name, quantity, unit_price, tax_amount, product_id, variant_id, description, tax_lines, position);
grant select, insert on order_lines to tradepost_orders;

create function insert_order_line() returns trigger language plpgsql as $$
begin
  insert into order_line_rows (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount, product_id,
                               variant_id, description, tax_lines)
  values (new.tenant_id, new.order_id, new.position, new.sku, new.name, new.quantity, new.unit_price, new.subtotal, new.tax_amount,
          new.product_id, new.variant_id, new.description, new.tax_lines);
  return new;
end
$$;
create trigger insert_order_line instead of insert on order_lines for each row execute function insert_order_line();
