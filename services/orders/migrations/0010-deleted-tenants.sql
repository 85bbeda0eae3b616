-- Deleted tenants: a request that was in progress during the deletion cannot write an event, and so changes nothing. The previous
-- release continues to work. Only the outbox is locked: the locks of several tables could deadlock with requests.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/deleted-tenants.sql

grant select on deleted_tenants to tradepost_orders;

-- The condition names no column, so a statement looks the tenant up once, however many rows it inserts.
create policy not_deleted on outbox as restrictive for insert to tradepost_orders
  with check (not exists (
    select from deleted_tenants
     where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))));
