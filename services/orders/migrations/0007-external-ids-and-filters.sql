-- The channel's own id of an order, the time of the latest change and the version of a customer, and an index for each new
-- filter of the lists. The previous version still works: the new columns have defaults.

alter table orders
  add external_id text,
  add updated_at timestamptz(3) not null default now();
update orders set updated_at = coalesce(
  (select max(change.created_at) from order_changes change
    where change.tenant_id = orders.tenant_id and change.order_id = orders.id),
  created_at);

alter table customers
  add version integer not null default 1,
  add updated_at timestamptz(3) not null default now(),
  -- A column, because row-level security allows an index only for conditions without functions such as lower().
  add email_lower text generated always as (lower(email)) stored;
update customers set updated_at = created_at;

-- Each index is partial, so that only a query with a condition on its column considers it. A lookup by primary key that is
-- planned on an empty table would otherwise choose the newest index and keep that plan.
create unique index orders_external_id_key on orders (tenant_id, external_id, channel) where external_id is not null;
create index orders_of_property on orders (tenant_id, property_id, created_at desc, id desc) where property_id is not null;
create index orders_updated on orders (tenant_id, updated_at) where updated_at is not null;
create index customers_updated on customers (tenant_id, updated_at) where updated_at is not null;
create index customers_of_email on customers (tenant_id, email_lower, created_at desc, id desc) where email_lower is not null;

-- The texts of an order can be changed later; its amounts, its customer and its lines still cannot.
grant update (updated_at, customer_note, internal_note, metadata, shipping_address, billing_address)
  on orders to tradepost_orders;
