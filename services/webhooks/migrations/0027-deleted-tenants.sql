-- Deleted tenants: events and attempts that were in progress during the deletion are not stored. The previous release continues
-- to work, and stores them: a tenant is deleted with this version only.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/deleted-tenants.sql

grant select on deleted_tenants to tradepost_webhooks;

-- Everything else that a request inserts needs a subscription of the tenant.
create policy not_deleted on subscriptions as restrictive for insert to tradepost_webhooks
  with check (not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(tenant_id))));
