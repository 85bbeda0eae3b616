-- When the operator suspended a tenant. The previous version ignores the column, and so serves suspended tenants.

alter table tenants add column suspended_at timestamptz(3);
