-- Limits, holds and the state of endpoints that fail, and the notices about them (interface §17). The previous release continues
-- to work: it keeps no limit and no hold, and writes no notices.
-- works with: 0.2.0

alter table subscriptions
  add column max_per_second smallint check (max_per_second between 1 and 1000),
  add column max_in_flight smallint check (max_in_flight between 1 and 100),
  -- No attempt starts before this time.
  add column held_until timestamptz(3),
  -- The first failure since the last success.
  add column failing_since timestamptz(3),
  add column down_since timestamptz(3),
  -- With max_per_second: the time until which the started attempts use up the rate.
  add column paced_until timestamptz,
  -- Its deliveries are claimed with its row locked, so that a limit applies to all replicas together.
  add column restrained boolean not null generated always as (
    max_per_second is not null or max_in_flight is not null or held_until is not null or down_since is not null) stored;
grant select (max_per_second, max_in_flight, held_until, failing_since, down_since)
  on subscriptions to tradepost_webhooks_tenant;

drop trigger count_version on subscriptions;
create trigger count_version
  before update of name, url, events, active, secret_sealed, headers_sealed, max_per_second, max_in_flight on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.secret_sealed, old.headers_sealed, old.max_per_second, old.max_in_flight)
        is distinct from (new.name, new.url, new.events, new.secret_sealed, new.headers_sealed, new.max_per_second, new.max_in_flight)
        or old.active <> new.active and old.held = new.held)
  execute function count_version();

-- Why a delivery failed that no attempt ended: expired or overflow.
alter table delivery_log add column outcome text;

create table notices (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  -- Null for a notice about the whole tenant.
  subscription_id uuid,
  subject text not null,
  created_at timestamptz(3) not null default now(),
  closed_at timestamptz(3),
  acknowledged_at timestamptz(3),
  acknowledged_by json,
  facts jsonb not null,
  -- The latest time at which the problem occurred again.
  seen_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create unique index notices_open on notices (tenant_id, subscription_id, kind) nulls not distinct where closed_at is null;
create index notices_newest_first on notices (tenant_id, created_at desc, id desc);
create index notices_closed on notices (closed_at) where closed_at is not null;

create table notice_destinations (
  tenant_id uuid primary key,
  url text,
  emails text[] not null,
  -- Null for all.
  kinds text[],
  secret_sealed bytea,
  secret_preview text,
  version integer not null default 1,
  changed_at timestamptz(3) not null default now()
);

-- What is still to be sent to a destination.
create table notice_messages (
  tenant_id uuid not null,
  id uuid not null,
  notice_id uuid not null,
  -- opened or closed
  change text not null,
  channel text not null check (channel in ('webhook', 'mail')),
  notice json not null,
  attempt_count smallint not null default 0,
  created_at timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index notice_messages_due on notice_messages (channel, next_attempt_at);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['notices', 'notice_destinations', 'notice_messages'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('create policy all_tenants on %I to tradepost_webhooks using (true)', tenant_table);
  end loop;
end
$$;
create policy one_tenant on notices for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
create policy not_deleted on notice_destinations as restrictive for insert to tradepost_webhooks
  with check (not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(tenant_id))));
grant select, insert, update, delete on notices, notice_destinations, notice_messages to tradepost_webhooks;
grant select on notices to tradepost_webhooks_tenant;
