-- The data that the API shows a tenant is read as `tradepost_webhooks_tenant`, which row-level security limits to that tenant's
-- rows. Fan-out, dispatch and the routes that change something act as `tradepost_webhooks`, which sees the rows of all tenants.
-- The owner is not limited either: migrations and operators act as it. The previous version continues to work.

-- Roles belong to the server, not to the database: they may exist already (deploy/postgres/).
do $$
declare
  login record;
begin
  if not exists (select from pg_roles where rolname = 'tradepost_webhooks_tenant') then
    begin
      create role tradepost_webhooks_tenant nologin;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  -- An installation of the previous version: its login may act as tradepost_webhooks only.
  for login in
    select rolname from pg_auth_members join pg_roles on pg_roles.oid = member
     where roleid = 'tradepost_webhooks'::regrole and rolcanlogin and not rolsuper and rolname <> current_user
       and has_database_privilege(member, current_database(), 'connect')
       and not pg_has_role(member, 'tradepost_webhooks_tenant', 'member')
  loop
    execute format('grant tradepost_webhooks_tenant to %I', login.rolname);
  end loop;
exception
  when insufficient_privilege then
    raise exception 'the service cannot act as tradepost_webhooks_tenant, and % may not change that: run deploy/postgres/create-roles.sh first',
      current_user;
end
$$;

-- Not granted: sealed secrets, and every table that the API does not read.
grant usage on schema public to tradepost_webhooks_tenant;
grant select (tenant_id, id, name, url, events, active, secret_preview, consecutive_failures, last_success_at,
              last_failure_at, last_error, created_at, previous_secret_until)
  on subscriptions to tradepost_webhooks_tenant;
grant select on deliveries, delivery_log, all_deliveries, attempts, response_bodies, reconciliations, reconciliation_states
  to tradepost_webhooks_tenant;

-- A policy on a partitioned table applies to rows that are read through the table; access to the partitions is not granted.
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['subscriptions', 'deliveries', 'delivery_log', 'attempts', 'response_bodies',
                                      'reconciliations'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy all_tenants on %I to tradepost_webhooks using (true)', tenant_table);
    execute format(
      $policy$create policy one_tenant on %I for select to tradepost_webhooks_tenant
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, tenant_table);
  end loop;
end
$$;

-- Otherwise the views would read as their owner, whom no policy limits.
alter view all_deliveries set (security_invoker = true);
alter view reconciliation_states set (security_invoker = true);
