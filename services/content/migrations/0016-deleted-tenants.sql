-- Deleted tenants: what a request that was in progress during the deletion would insert is refused. The previous release goes on
-- working.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/deleted-tenants.sql

grant select on deleted_tenants to tradepost_content;

-- The condition names no column, so a statement looks the tenant up once, however many rows it inserts.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['redirects', 'content_types', 'entries', 'entry_revisions', 'entry_slugs', 'media',
                                      'idempotency_records', 'outbox'] loop
    execute format(
      $policy$create policy not_deleted on %I as restrictive for insert to tradepost_content
              with check (not exists (
                select from deleted_tenants
                 where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))))$policy$,
      tenant_table);
  end loop;
end
$$;
