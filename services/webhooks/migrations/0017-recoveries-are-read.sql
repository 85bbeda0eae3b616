-- The API shows recoveries. The previous version continues to work.

alter table recoveries enable row level security;
create policy all_tenants on recoveries to tradepost_webhooks using (true);
create policy one_tenant on recoveries for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select on recoveries to tradepost_webhooks_tenant;
