-- The tenants' audit log, and the role that the running service acts as. That role may insert into the log and read it,
-- but not change it. The owner's role is for migrations.

create table audit_log (
  tenant_id uuid not null references tenants,
  -- An entry that arrives over the broker has the event's id, so that a redelivered copy is not inserted twice.
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

-- The refresh cookie does not name the tenant, so a session is found by its id only.
create unique index sessions_by_id on sessions (id);

-- Roles belong to the server, not to the database. deploy/postgres/create-roles.sh may have created this one before.
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
        raise exception 'role % does not exist and % may not create it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

grant usage on schema public to tradepost_gateway;
grant select, insert, update, delete on tenants, tenant_modules, users, sessions, api_keys to tradepost_gateway;
grant select, insert on audit_log to tradepost_gateway;
