-- The tenants' audit log, and the role that the running service acts as: it may add to the log and read it, and
-- nothing else. The owner's role is for migrations.

create table audit_log (
  tenant_id uuid not null references tenants,
  -- Of an entry that came over the broker, the event's: a second copy meets the first.
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  changes jsonb not null,
  request_id text not null,
  primary key (tenant_id, id)
);

create index audit_log_newest_first on audit_log (tenant_id, created_at desc, id desc);
create index audit_log_of_action on audit_log (tenant_id, action, created_at desc, id desc);
create index audit_log_of_actor on audit_log (tenant_id, actor_id, created_at desc, id desc);

-- A session is found by its id alone: the refresh cookie names no tenant.
create unique index sessions_by_id on sessions (id);

-- Roles belong to the server, not to the database: they may have been made beforehand (deploy/postgres/).
do $$
declare
  role_name text;
begin
  foreach role_name in array array['tradepost_gateway'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        raise exception 'role % is missing, and % may not make it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

grant usage on schema public to tradepost_gateway;
grant select, insert, update, delete on tenants, tenant_modules, users, sessions, api_keys to tradepost_gateway;
grant select, insert on audit_log to tradepost_gateway;
