-- Creates the roles of one service for the database that the session is connected to. Running it again changes only the
-- passwords. It is run by a superuser or by an owner with CREATEROLE; otherwise the roles must exist.
--
-- The owner owns the database and runs its migrations. The login is the role that the service's process logs in as: it
-- owns nothing, inherits nothing and can only act as the service's own roles. No other role can connect to the database.
--
-- Settings of the session: tradepost.service, tradepost.owner, tradepost.login, tradepost.login_password; and
-- tradepost.owner_password to create the owner too.
do $$
declare
  service constant text := current_setting('tradepost.service');
  owner_name constant text := current_setting('tradepost.owner');
  owner_password constant text := nullif(current_setting('tradepost.owner_password', true), '');
  login_name constant text := current_setting('tradepost.login');
  -- The roles that the process acts as. A test compares these lines with the example for Kubernetes.
  acts_as constant text[] := case service
    when 'gateway' then array['tradepost_gateway']
    when 'orders' then array['tradepost_orders', 'tradepost_orders_worker']
    when 'content' then array['tradepost_content', 'tradepost_content_worker']
    when 'webhooks' then array['tradepost_webhooks', 'tradepost_webhooks_tenant']
  end;
  is_superuser constant boolean := (select rolsuper from pg_roles where rolname = current_user);
  may_alter constant boolean := (select rolsuper or rolcreaterole from pg_roles where rolname = current_user);
  role_name text;
begin
  if acts_as is null then
    raise exception 'there is no service %', service;
  end if;

  if owner_password is not null then
    if not exists (select from pg_roles where rolname = owner_name) then
      execute format('create role %I', owner_name);
    end if;
    execute format('alter role %I login nocreaterole password %L', owner_name, owner_password);
    execute format('alter database %I owner to %I', current_database(), owner_name);
    -- Before Postgres 15 a database's owner did not own this schema.
    execute format('alter schema public owner to %I', owner_name);
  end if;

  foreach role_name in array acts_as loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin', role_name);
    end if;
    -- For the age of the newest base backup, a metric.
    if is_superuser then
      execute format('grant execute on function pg_catalog.pg_ls_archive_statusdir() to %I', role_name);
    end if;
  end loop;

  if not exists (select from pg_roles where rolname = login_name) then
    execute format('create role %I', login_name);
  end if;
  if may_alter then
    execute format('alter role %I login noinherit password %L', login_name, current_setting('tradepost.login_password'));
  end if;
  foreach role_name in array acts_as loop
    if not exists (select from pg_auth_members
                    where roleid = role_name::regrole and member = quote_ident(login_name)::regrole) then
      execute format('grant %I to %I', role_name, login_name);
    end if;
  end loop;

  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to %I', current_database(), login_name);
  revoke create on schema public from public;
end
$$;
