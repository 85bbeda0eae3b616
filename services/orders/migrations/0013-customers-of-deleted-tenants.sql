-- Refuses customers of deleted tenants: a customer has no event that the policy of the outbox would refuse. The previous release
-- continues to work.
-- works with: 0.2.0

create policy not_deleted on customers as restrictive for insert to tradepost_orders
  with check (not exists (
    select from deleted_tenants
     where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))));
