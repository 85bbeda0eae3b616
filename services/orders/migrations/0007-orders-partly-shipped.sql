-- Finds the orders of which a part is shipped. A migration of its own, because it reads all orders, and holds a lock while it does.
-- works with: 1.0.0

create index orders_partly_shipped on orders (tenant_id, created_at desc, id desc)
  where status = 'placed' and shipments is not null;
