-- Customers, orders with their lines, each tenant's order numbers, and the outbox.
-- Every primary and foreign key begins with the tenant, so no row can refer to a row of another tenant.

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
  primary key (tenant_id, id),
  constraint customers_external_id_key unique (tenant_id, external_id)
);

create index customers_newest_first on customers (tenant_id, created_at desc, id desc);

-- The next generated order number of each tenant. The tenant's first order inserts the row.
create table order_counters (
  tenant_id uuid primary key,
  next_number bigint not null
);

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
  paid_total numeric(15, 4) not null default 0 check (paid_total >= 0),
  refunded_total numeric(15, 4) not null default 0 check (refunded_total between 0 and paid_total),
  property_id text,
  shipping_address json,
  billing_address json,
  customer_note text,
  internal_note text,
  metadata json,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint orders_order_number_key unique (tenant_id, order_number),
  foreign key (tenant_id, customer_id) references customers,
  constraint orders_total_adds_up check (total = subtotal + shipping_total + tax_total - discount_total)
);

create index orders_newest_first on orders (tenant_id, created_at desc, id desc);
create index orders_of_customer on orders (tenant_id, customer_id);

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
  primary key (tenant_id, order_id, position),
  foreign key (tenant_id, order_id) references orders,
  constraint order_lines_subtotal_adds_up check (subtotal = quantity * unit_price)
);

-- include: @tradepost/messaging/sql/0001-outbox.sql
