-- The target of each attempt: subscriptions have a version, attempts name the version that they were made with, and the URL and
-- the header names of former versions are kept. The rest of a request follows from its event and its time. Also the columns for
-- headers of a subscription's own. The previous version continues to work; the requests of its attempts are shown with the oldest
-- URL that is known.

alter table subscriptions
  add column version integer not null default 1,
  add column header_names text[] not null default '{}',
  -- The names and values as JSON, under AES-256-GCM like the signing secret. Null without headers.
  add column headers_sealed bytea;

-- Null for attempts of the previous version.
alter table attempts add column subscription_version integer;

create table former_targets (
  tenant_id uuid not null,
  subscription_id uuid not null,
  -- The last version that had this URL and these headers.
  version integer not null,
  url text not null,
  header_names text[] not null,
  replaced_at timestamptz(3) not null default now(),
  primary key (tenant_id, subscription_id, version)
);
create index former_targets_oldest_first on former_targets (replaced_at);

alter table former_targets enable row level security;
create policy all_tenants on former_targets to tradepost_webhooks using (true);
create policy one_tenant on former_targets for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select, insert, delete on former_targets to tradepost_webhooks;
grant select on former_targets to tradepost_webhooks_tenant;

-- Triggers, because the previous version changes and deletes subscriptions as well. A change of the health does not count.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
create trigger count_version before update of name, url, events, active, secret_sealed, headers_sealed on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.active, old.secret_sealed, old.headers_sealed)
        is distinct from (new.name, new.url, new.events, new.active, new.secret_sealed, new.headers_sealed))
  execute function count_version();

create function keep_target() returns trigger language plpgsql as $$
begin
  insert into former_targets (tenant_id, subscription_id, version, url, header_names)
  values (old.tenant_id, old.id, old.version, old.url, old.header_names);
  return null;
end
$$;
create trigger keep_target_of_changed after update of url, header_names on subscriptions for each row
  when ((old.url, old.header_names) is distinct from (new.url, new.header_names))
  execute function keep_target();
create trigger keep_target_of_deleted after delete on subscriptions for each row execute function keep_target();

-- The API shows the data of events, with the requests that sent them.
alter table events enable row level security;
create policy all_tenants on events to tradepost_webhooks using (true);
create policy one_tenant on events for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select on events to tradepost_webhooks_tenant;
grant select (version, header_names) on subscriptions to tradepost_webhooks_tenant;
