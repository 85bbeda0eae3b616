-- Deleted tenants, and when the deletion of a tenant began. The previous release continues to work.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/deleted-tenants.sql

-- Audit entries of deleted tenants that arrive over the broker are dropped.
grant select on deleted_tenants to tradepost_gateway;

-- From then on the tenant cannot be resumed. It is suspended and has its row until everything else is deleted.
alter table tenants add column deletion_started_at timestamptz(3);
