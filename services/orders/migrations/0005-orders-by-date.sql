-- A migration of its own, because it reads all orders, and holds a lock while it does.
-- works with: 1.0.0

create index orders_dated on orders (tenant_id, placed_at desc, id desc) where placed_at is not null;
