-- The responses to Idempotency-Keys. The previous version ignores the header and the table.

-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql

grant select, insert, delete on idempotency_records to tradepost_content;
grant select, delete on idempotency_records to tradepost_content_worker;
alter table idempotency_records enable row level security, force row level security;
create policy one_tenant on idempotency_records to tradepost_content
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
create policy owner on idempotency_records to current_user using (true);
create policy worker on idempotency_records to tradepost_content_worker using (true);
