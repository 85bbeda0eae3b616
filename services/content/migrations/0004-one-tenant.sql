-- Row-level security, in addition to the condition on the tenant in each statement. For requests, the service acts as a
-- role that sees the rows of one tenant. Background workers act as a role that sees few columns of every tenant.

-- Roles belong to the server, not to the database, so they may exist already (deploy/postgres/).
do $$
declare
  role_name text;
begin
  foreach role_name in array array['tradepost_content', 'tradepost_content_worker'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        raise exception 'role % does not exist, and % may not create it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

grant usage on schema public to tradepost_content, tradepost_content_worker;
grant select, insert, delete on redirects to tradepost_content;
grant select, insert, update on content_types to tradepost_content;
grant select, insert, update, delete on entries, entry_slugs, media, storage_leftovers to tradepost_content;
grant select, insert, delete on entry_revisions to tradepost_content;
grant insert on outbox to tradepost_content;
-- The worker's role finds due work; the tenant's role does it.
grant select, update, delete on outbox to tradepost_content_worker;
grant select (tenant_id, id, schedule_try_at) on entries to tradepost_content_worker;
grant select (tenant_id, id, status, created_at, processing_until) on media to tradepost_content_worker;
grant select, delete on storage_leftovers to tradepost_content_worker;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['redirects', 'content_types', 'entries', 'entry_revisions', 'entry_slugs',
                                      'media', 'storage_leftovers', 'outbox'] loop
    execute format('alter table %I enable row level security, force row level security', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I to tradepost_content
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
    -- Migrations, operators and the previous version act as the owner.
    execute format('create policy owner on %I to current_user using (true)', tenant_table);
  end loop;
end
$$;
create policy worker on outbox to tradepost_content_worker using (true);
create policy worker on entries to tradepost_content_worker using (true);
create policy worker on media to tradepost_content_worker using (true);
create policy worker on storage_leftovers to tradepost_content_worker using (true);
