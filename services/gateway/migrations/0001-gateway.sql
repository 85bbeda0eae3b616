-- The schema of release 1.0.0: tenants with their modules, quotas and usage; staff users with their sessions, links and second
-- factors; API keys; the audit log; the log of requests; and the outbox of the operators' commands.
-- works with: 1.0.0

create table tenants (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null,
  created_at timestamptz(3) not null default now(),
  -- When the operator suspended the tenant.
  suspended_at timestamptz(3),
  -- From then on the tenant cannot be resumed. It is suspended and has its row until everything else is deleted.
  deletion_started_at timestamptz(3),
  -- Null means the default of the settings, 0 no quota.
  media_bytes_max bigint check (media_bytes_max >= 0),
  event_bytes_max bigint check (event_bytes_max >= 0),
  -- The quotas with an open notice.
  near_quotas text[] not null default '{}',
  -- Users without a second factor may only set one up.
  require_second_factor boolean not null default false
);
create index tenants_near_quotas on tenants (id) where near_quotas <> '{}';

create table tenant_modules (
  tenant_id uuid not null references tenants,
  name text not null check (name in ('crm', 'content')),
  active boolean not null,
  primary key (tenant_id, name)
);

-- The tenants' use of their quotas, as the services last counted it (interface §19).
create table tenant_usage (
  tenant_id uuid not null references tenants,
  service text not null,
  media_bytes bigint not null,
  event_bytes bigint not null,
  bytes_at timestamptz not null,
  -- Other counts of the service, by name. Counted on demand only.
  counts jsonb not null default '{}',
  counts_at timestamptz not null default '-infinity',
  primary key (tenant_id, service)
);
create index tenant_usage_to_count on tenant_usage (tenant_id) where bytes_at = '-infinity';

-- An e-mail belongs to the user who has confirmed it; until then each tenant may have a user with it.
create table users (
  tenant_id uuid not null references tenants,
  id uuid not null,
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  active boolean not null default true,
  password_hash text not null,
  created_at timestamptz(3) not null default now(),
  -- When the user first signed in or set a password with a link.
  confirmed_at timestamptz(3),
  -- When the user confirmed the second factor; null without one.
  second_factor_since timestamptz(3),
  primary key (tenant_id, id)
);
create unique index users_email_key on users (tenant_id, email);
create unique index users_confirmed_email on users (email) where confirmed_at is not null;
create index users_of_email on users (email, confirmed_at, created_at, id);

-- Each refresh updates a session, and sessions that are over are deleted.
create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the refresh secret in the cookie.
  refresh_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- The time of the last refresh; null until the first one.
  last_used_at timestamptz(3),
  ip text,
  user_agent text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- The refresh cookie does not name the tenant, so a session is found by its id only.
create unique index sessions_by_id on sessions (id);
-- For the sessions of a user, and for the cascade when a user is deleted.
create index sessions_of_user on sessions (tenant_id, user_id, created_at desc, id desc);
-- For the sessions that ended or expired first. `least` ignores nulls.
create index sessions_over on sessions (least(ended_at, expires_at));

-- One-time links with which a user sets a first or a forgotten password. A user has at most one; using it deletes it.
create table setup_links (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the token: safe for 256 random bits.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);

-- Second factors of users (interface §20).
create table second_factors (
  tenant_id uuid not null,
  user_id uuid not null,
  -- The TOTP secret, sealed with a key that is derived from the key of TOKEN_SIGNING_KEYS with the id sealed_with.
  secret_sealed bytea not null,
  sealed_with text not null,
  -- The time step of the latest code that was used. Codes of this step and of earlier ones are refused.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);
-- Secrets that another key sealed, which are sealed again.
create index second_factors_sealed_with on second_factors (sealed_with, tenant_id, user_id);

-- Using a code deletes it.
create table recovery_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the user's id and the code, which has 80 random bits.
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references second_factors on delete cascade
);

-- Sign-ins whose password was right, and whose code has not arrived yet.
create table unfinished_sign_ins (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the token: safe for 256 random bits.
  token_hash bytea not null unique check (length(token_hash) = 32),
  failed_codes smallint not null default 0,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, user_id, token_hash),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index unfinished_sign_ins_expired on unfinished_sign_ins (expires_at);

create table api_keys (
  tenant_id uuid not null references tenants,
  id uuid not null,
  -- The public part of sk_live_<key_id>_<secret>. Every request finds its key by it.
  key_id text not null unique,
  -- SHA-256 of the secret: safe for 256 random bits, and fast enough for every request.
  secret_hash bytea not null check (length(secret_hash) = 32),
  label text not null,
  scopes text[] not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  -- So that the key is not rotated again while its overlap lasts.
  rotated_at timestamptz(3),
  primary key (tenant_id, id)
);
create index api_keys_newest_first on api_keys (tenant_id, created_at desc, id desc);

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
  ip text,
  user_agent text,
  primary key (tenant_id, id)
);
create index audit_log_newest_first on audit_log (tenant_id, created_at desc, id desc);
create index audit_log_of_action on audit_log (tenant_id, action, created_at desc, id desc);
create index audit_log_of_actor on audit_log (tenant_id, actor_id, created_at desc, id desc);
create index audit_log_of_target on audit_log (tenant_id, target_id, created_at desc, id desc);

-- Audit entries that a service has published and that did not arrive: the service says which it has published.
-- `compared_until` is the time of publication, by the clock of the service's database, until which its entries have been compared.
create table audit_tallies (
  service text primary key,
  compared_until timestamptz not null,
  asked_at timestamptz not null
);
create table missing_audit_entries (
  tenant_id uuid not null,
  entry_id uuid not null,
  service text not null,
  published_since timestamptz not null,
  published_until timestamptz not null,
  noticed_at timestamptz not null default now(),
  primary key (tenant_id, entry_id)
);

-- The operators' commands that change something, for `ops audit`. Only their programs read and write the table.
create table operator_commands (
  id uuid primary key,
  at timestamptz(3) not null default now(),
  actor text not null,
  command text not null,
  -- Without secrets and e-mails.
  arguments text[] not null,
  -- Null while the command runs, and if it was interrupted.
  exit_status smallint
);
create index operator_commands_by_time on operator_commands (at);

-- The tenants' requests of the last days, and how many there were each day (interface §19).
create table requests (
  tenant_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  -- The X-Request-Id.
  request_id text not null,
  method text not null,
  route text not null,
  status smallint not null,
  code text,
  actor_type text not null,
  actor_id text not null,
  actor_name text not null,
  duration_ms integer not null,
  request_bytes bigint not null,
  response_bytes bigint not null,
  primary key (tenant_id, created_at, id)
) partition by range (created_at);
create table requests_other partition of requests default;

create table request_days (
  tenant_id uuid not null,
  day date not null,
  count bigint not null,
  -- Requests with the status 429.
  refused bigint not null,
  primary key (tenant_id, day)
);

-- include: @tradepost/messaging/sql/0001-outbox.sql
-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql
-- Responses are recorded without their secrets.
alter table idempotency_records add foreign key (tenant_id) references tenants;
-- include: @tradepost/postgres/sql/deleted-tenants.sql
-- The second list of erased customers; the first is in the database of orders.
-- include: @tradepost/postgres/sql/erased-customers.sql
-- include: @tradepost/postgres/sql/restores.sql
-- include: @tradepost/postgres/sql/day-partitions.sql
insert into day_tables values
  ('published_events', 'published_at', 'timestamptz', 7),
  ('requests', 'created_at', 'timestamptz', 7);

-- Roles belong to the server, not to the database: it may already exist (deploy/postgres/). The gateway logs in as a role that owns
-- nothing and acts as this one; only migrations log in as the owner. So not even RESET ROLE gives it a role that may change the audit
-- log.
do $$
begin
  if not exists (select from pg_roles where rolname = 'tradepost_gateway') then
    create role tradepost_gateway nologin;
  end if;
exception
  when duplicate_object or unique_violation then
    null;
  when insufficient_privilege then
    raise exception 'role tradepost_gateway does not exist and % may not create it: run deploy/postgres/create-roles.sh first',
      current_user;
end
$$;

revoke create on schema public from public;
grant usage on schema public to tradepost_gateway;
-- The gateway reads it to see whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_gateway;

grant select, insert, update, delete on tenants, tenant_modules, users, sessions, setup_links, second_factors, recovery_codes,
  unfinished_sign_ins, api_keys to tradepost_gateway;
grant select, insert, update on tenant_usage, audit_tallies to tradepost_gateway;
-- Entries cannot be changed.
grant select, insert on audit_log to tradepost_gateway;
grant select, insert, delete on missing_audit_entries, idempotency_records to tradepost_gateway;
grant select, insert on requests, published_events to tradepost_gateway;
grant select, insert, update, delete on request_days, replay, event_bytes to tradepost_gateway;
-- Only the operators' commands, as the owner, insert into it.
grant select, update, delete on outbox to tradepost_gateway;
grant select, update on event_tally to tradepost_gateway;
-- Audit entries of deleted tenants that arrive over the broker are dropped.
grant select on deleted_tenants to tradepost_gateway;
grant insert on erased_customers to tradepost_gateway;
grant execute on function make_day, drop_day to tradepost_gateway;
