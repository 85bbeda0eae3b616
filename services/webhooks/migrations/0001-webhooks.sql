-- The schema of release 1.0.0: subscriptions and their endpoints, events, open deliveries and the log of those that have ended,
-- replays, listeners, notices, and the outbox. Postgres decides what is due; the broker's queues only make it prompt.
-- works with: 1.0.0

-- While a table is empty the planner prefers the index created last, and keeps that plan: the primary keys that look-ups by tenant
-- and id use are created last, or no other index of the table begins with the tenant.

create table subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  -- Null for a listener.
  url text,
  events text[] not null check (cardinality(events) > 0),
  active boolean not null default true,
  -- AES-256-GCM under the service's key: a copy of the database cannot sign.
  secret_sealed bytea not null,
  secret_preview text not null,
  consecutive_failures integer not null default 0,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default now(),
  -- Signs together with the new secret during the overlap of a rotation.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz(3),
  version integer not null default 1,
  header_names text[] not null default '{}',
  -- The names and values as JSON, under AES-256-GCM like the signing secret. Null without headers.
  headers_sealed bytea,
  -- It is not active only because its tenant is suspended; it is active again when the tenant is resumed.
  held boolean not null default false check (not (held and active)),
  -- When it became active again: deliveries that it held until then are not late.
  resumed_at timestamptz,
  max_per_second smallint check (max_per_second between 1 and 1000),
  max_in_flight smallint check (max_in_flight between 1 and 100),
  -- No attempt starts before this time.
  held_until timestamptz(3),
  -- The first failure since the last success.
  failing_since timestamptz(3),
  down_since timestamptz(3),
  -- With max_per_second: the time until which the started attempts use up the rate.
  paced_until timestamptz,
  -- Its deliveries are claimed with its row locked, so that a limit applies to all replicas together.
  restrained boolean not null generated always as (
    max_per_second is not null or max_in_flight is not null or held_until is not null or down_since is not null) stored,
  -- Selects the events that the subscription wants by their data; null selects all.
  filter jsonb,
  payload_version smallint not null default 1,
  primary key (tenant_id, id)
);
create index subscriptions_newest_first on subscriptions (tenant_id, created_at desc, id desc);

-- While a tenant is suspended none of its subscriptions is active, so its deliveries wait like the deliveries of a paused
-- subscription.
create table suspended_tenants (
  tenant_id uuid primary key,
  suspended_at timestamptz(3) not null default now()
);

-- Former URLs and header names, for showing the requests of earlier attempts.
create table former_targets (
  tenant_id uuid not null,
  subscription_id uuid not null,
  -- The last version that had this URL and these headers.
  version integer not null,
  url text,
  header_names text[] not null,
  replaced_at timestamptz(3) not null default now(),
  primary key (tenant_id, subscription_id, version)
);
create index former_targets_oldest_first on former_targets (replaced_at);

-- How an endpoint does: its window, which limits how many of its deliveries are queued or being attempted, whether it is proven and
-- whether it is down. Not columns of subscriptions, because every fan-out locks their rows.
create table endpoints (
  tenant_id uuid not null,
  subscription_id uuid not null,
  window_size smallint not null default 2 check (window_size > 0),
  -- Its latest attempt succeeded in time.
  proven boolean not null default false,
  -- It gets one attempt at a time, because too many failed in a row.
  down boolean not null default false,
  -- Scheme, host and port of its URL. Null if the host's name is too long for DNS.
  origin text check (char_length(origin) <= 300),
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);

-- The standings of endpoints that a tenant no longer has, by origin: its next endpoint at that origin inherits them.
create table former_standings (
  tenant_id uuid not null,
  origin text not null,
  window_size smallint not null check (window_size > 0),
  proven boolean not null,
  down boolean not null,
  kept_at timestamptz(3) not null default now(),
  primary key (tenant_id, origin)
);
create index former_standings_oldest_first on former_standings (kept_at);

-- Listeners: subscriptions without a URL, whose deliveries are leased. An open delivery of a listener waits in Postgres like any
-- other, and a lease is its lock.
create table listeners (
  tenant_id uuid not null,
  subscription_id uuid not null,
  expires_in_hours smallint not null check (expires_in_hours between 1 and 720),
  -- Each lease postpones it.
  expires_at timestamptz(3) not null,
  -- Its subscription is paused until the next lease.
  has_expired boolean not null default false,
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index listeners_expiring on listeners (expires_at) where not has_expired;

-- Each event once, as it was received, however many subscriptions match it; by the day in its id. The default partition holds ids
-- without a time, and events that are still needed after their day has been dropped.
create table events (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  request_id text not null,
  data json not null,
  received_at timestamptz(3) not null default now(),
  -- How many subscriptions it matched at its fan-out. It has that many deliveries, whatever their status, as long as the log goes
  -- back.
  matched smallint,
  resource_id uuid,
  -- An example that an admin sent.
  is_test boolean not null default false,
  -- Of the request that caused it, for the log line of every attempt.
  traceparent text,
  -- Null if the resource has no version.
  resource_version integer,
  -- By the id of a subscription, the fields of its filter that the event did not match. Null if no filter kept it back.
  filtered jsonb,
  -- The parts of the data that filters look at, so that a preview does not parse the data.
  facets json
) partition by range (id);
create table events_other partition of events default;
-- Rows in default partitions are deleted by their age.
create index events_other_oldest_first on events_other (received_at, tenant_id, id);
-- The resource first: an index that begins with tenant_id could be chosen for a lookup by tenant and id while the table is empty.
create index on events (resource_id, tenant_id, id);
-- By their time, for replays and the ledger.
create index on events (tenant_id, occurred_at, id);
alter table events add primary key (tenant_id, id);

-- Received events by the day of their occurrence, for the tenant's quota (interface §19); a day is deleted with its partition.
create table received_bytes (
  tenant_id uuid not null,
  day date not null,
  -- Chosen by the process that received them, so that processes seldom wait for one another.
  part smallint not null,
  bytes bigint not null,
  primary key (tenant_id, day, part)
);

-- Open deliveries. Each is inserted, changed about three times and deleted, next to a backlog that may have millions of rows.
create table deliveries (
  tenant_id uuid not null,
  id uuid not null,
  -- No foreign key: the log remains after the subscription is deleted.
  subscription_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null check (status in ('pending', 'retrying', 'paused')),
  -- The attempts of this generation. A redelivery, recovery or redrive starts the next generation at 0.
  attempt_count smallint not null default 0,
  generation integer not null default 1,
  created_at timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3),
  -- When its message was last published. The sweep publishes it if this is null.
  enqueued_at timestamptz,
  -- Set during an attempt. A time in the past means that the process that made the attempt has died.
  locked_until timestamptz,
  -- Where a pending or retrying delivery is. waiting: in Postgres, until its endpoint's window has room. queued: its message is
  -- in webhooks.deliveries, or its attempt is in progress. delayed: its message is in a retry queue.
  queue_state text check (queue_state in ('waiting', 'queued', 'delayed')),
  -- The replay that restarted or made it; its requests name it.
  replay_id uuid,
  -- What the replay took from the log, so that a cancelled one puts it back. Null for a delivery that the replay made.
  before_replay jsonb,
  -- Whether the next attempt of a listener's delivery has been leased more than once, so that a result without the id of its lease
  -- may be from a client that has lost it.
  leased_again boolean,
  constraint deliveries_once_for_each_pair unique (tenant_id, event_id, subscription_id),
  check ((next_attempt_at is not null) = (status in ('pending', 'retrying')))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index deliveries_newest_first on deliveries (tenant_id, created_at desc, id desc);
create index deliveries_of_subscription on deliveries (tenant_id, subscription_id, created_at desc, id desc);
create index deliveries_queued on deliveries (tenant_id, subscription_id)
  where queue_state = 'queued' and status in ('pending', 'retrying');
create index deliveries_delayed on deliveries (next_attempt_at)
  where queue_state = 'delayed' and status in ('pending', 'retrying');
create index deliveries_without_queue_state on deliveries (next_attempt_at)
  where queue_state is null and status in ('pending', 'retrying');
-- What each listener has leased. A delivery that is sent has another queue state while it is locked.
create index deliveries_leased on deliveries (tenant_id, subscription_id, locked_until)
  where queue_state = 'waiting' and locked_until is not null;
-- Oldest first. Deliveries of a replay wait behind the endpoint's other waiting deliveries.
create index deliveries_waiting on deliveries (tenant_id, subscription_id, (replay_id is not null), next_attempt_at, id)
  where queue_state = 'waiting' and status in ('pending', 'retrying');
alter table deliveries add primary key (tenant_id, id);

-- Deliveries that are delivered, failed or cancelled, by the day on which they ended.
create table delivery_log (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null check (status in ('delivered', 'failed', 'cancelled')),
  attempt_count smallint not null,
  generation integer not null,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3) not null,
  -- Why a delivery failed that no attempt ended: expired or overflow.
  outcome text,
  replay_id uuid,
  primary key (tenant_id, id, completed_at)
) partition by range (completed_at);
create table delivery_log_other partition of delivery_log default;
create index on delivery_log (tenant_id, created_at desc, id desc);
create index on delivery_log (tenant_id, subscription_id, created_at desc, id desc);
create index on delivery_log (tenant_id, subscription_id, completed_at, id) where status = 'failed';
-- For the lookup whether an event is still needed. `deliveries` has an index for it, the unique constraint.
create index on delivery_log (tenant_id, event_id);
create index delivery_log_other_oldest_first on delivery_log_other (completed_at);
-- A list filtered by a status, an outcome or a status code of failures finds them among millions that were delivered. Recording a
-- success does not touch it.
create index on delivery_log (tenant_id, created_at desc, id desc) where status <> 'delivered';

-- Attempts by their day.
create table attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  generation integer not null,
  attempt smallint not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  outcome text not null check (outcome in ('delivered', 'http_status', 'timeout', 'dns_failed', 'connection_refused',
    'connection_reset', 'tls_failed', 'address_refused', 'response_invalid', 'network_error')),
  status_code smallint,
  response_digest bytea,
  -- The version that it was made with, for its URL and the names of its headers.
  subscription_version integer,
  subscription_id uuid,
  primary key (tenant_id, delivery_id, generation, attempt, at)
) partition by range (at);
create table attempts_other partition of attempts default;
create index attempts_other_oldest_first on attempts_other (at);
-- For the statistics. One entry for 16 pages, because attempts are written in the order of their time.
create index on attempts using brin (at) with (pages_per_range = 16, autosummarize = on);

-- Each text once for a tenant and day.
create table response_bodies (
  tenant_id uuid not null,
  digest bytea not null,
  day date not null,
  body text not null,
  primary key (tenant_id, digest, day)
) partition by range (day);
create table response_bodies_other partition of response_bodies default;
create index response_bodies_other_oldest_first on response_bodies_other (day);

-- Deliveries that failed for good, until an operator redrives or purges them.
create table dead_letters (
  tenant_id uuid not null,
  delivery_id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  type text not null,
  attempts smallint not null,
  generation integer not null,
  created_at timestamptz(3) not null,
  failed_at timestamptz(3) not null,
  -- The outcome of the last attempt, with the code of an `http_status`.
  reason text not null,
  -- When the broker confirmed its message in webhooks.dead. The sweep publishes it if this is null.
  published_at timestamptz,
  primary key (tenant_id, delivery_id)
);
create index dead_letters_oldest_first on dead_letters (failed_at, delivery_id);
create index dead_letters_of_event on dead_letters (tenant_id, event_id);
create index dead_letters_unpublished on dead_letters (failed_at) where published_at is null;
-- For replays of deliveries whose row in the log was dropped.
create index on dead_letters (tenant_id, subscription_id, failed_at, delivery_id);

-- Subscriptions that were paused, resumed or deleted and whose open deliveries are being updated in batches.
create table reconciliations (
  tenant_id uuid not null,
  -- No foreign key: a subscription is deleted before its deliveries are cancelled.
  subscription_id uuid not null,
  requested_at timestamptz(3) not null default now(),
  -- Deliveries up to here are done. Each change of the subscription starts again from the oldest delivery.
  after_created_at timestamptz(3) not null default '-infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  advanced_at timestamptz not null default now(),
  primary key (tenant_id, subscription_id)
);
create index reconciliations_least_recently_advanced on reconciliations (advanced_at);

-- Restarts or makes deliveries of one subscription in batches. A recovery is a replay of failed deliveries.
create table replays (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  include text not null check (include in ('failed', 'missing', 'all')),
  -- `since` is inclusive, `until` exclusive. With `failed` they limit the time of the failure, otherwise the time of the event.
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  -- The filters that narrow it: types, outcome, statusCode, resourceId.
  narrowed jsonb not null default '{}',
  status text not null default 'running' check (status in ('running', 'finished', 'cancelled')),
  matched integer not null,
  requeued integer not null default 0,
  skipped integer not null default 0,
  -- Its progress, in the order of the time.
  after_at timestamptz(3) not null default '-infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- Whether batches are left to do: it runs, or it was cancelled and what was not sent is being taken back.
  has_work boolean not null default true,
  -- Its first batch waits for all older transactions, which may hold events that they matched with the subscriptions of before.
  created_xid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index replays_with_work on replays (created_at) where has_work;
create index replays_of_subscription on replays (subscription_id, tenant_id, created_at desc, id desc);

-- Notices about endpoints that fail and quotas that are nearly used up (interface §17).
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
  -- The subject of a notice about the whole tenant, so that several of one kind can be open.
  about text not null default '',
  primary key (tenant_id, id)
);
create index notices_newest_first on notices (tenant_id, created_at desc, id desc);
create index notices_closed on notices (closed_at) where closed_at is not null;
create unique index notices_open on notices (tenant_id, subscription_id, kind, about) nulls not distinct where closed_at is null;

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

-- The running processes of the service. Each has an equal share of the requests a second at a host.
create table dispatchers (
  id uuid primary key,
  seen_at timestamptz not null
);

-- The time of publication up to which each service's tallies have been compared.
create table tallies (
  service text primary key,
  compared_until timestamptz not null,
  -- Since when the service has an event that it has not published, according to its newest tally.
  unpublished_since timestamptz
);

-- Times of publication that no tally covers: it was lost too, or this database was restored to an earlier time.
create table tally_gaps (
  service text not null,
  since timestamptz not null,
  until timestamptz not null check (until > since),
  noticed_at timestamptz not null default now(),
  primary key (service, since)
);

-- Events that a service has published and that did not arrive, according to the tallies that it sends.
create table missing_events (
  tenant_id uuid not null,
  event_id uuid not null,
  service text not null,
  -- The start of its tally.
  published_since timestamptz not null,
  published_until timestamptz not null,
  noticed_at timestamptz not null default now(),
  primary key (tenant_id, event_id)
);

-- include: @tradepost/messaging/sql/0001-outbox.sql
-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql
-- include: @tradepost/postgres/sql/deleted-tenants.sql
-- include: @tradepost/postgres/sql/restores.sql
-- include: @tradepost/postgres/sql/day-partitions.sql
-- The log goes back at least 8 days, longer than the 7 for which events are published again.
insert into day_tables values
  ('published_events', 'published_at', 'timestamptz', 7),
  ('delivery_log', 'completed_at', 'timestamptz', 8),
  ('attempts', 'at', 'timestamptz', 8),
  ('response_bodies', 'day', 'date', 8),
  ('events', 'id', 'uuid', 8);

-- The current state of each subscription that is being reconciled. The views read as the caller, whom policies limit.
create view reconciliation_states with (security_invoker = true) as
  select reconciliations.tenant_id, subscription_id, requested_at,
         case when subscriptions.id is null then 'deleted' when active then 'active' else 'paused' end as state
    from reconciliations
    left join subscriptions on subscriptions.tenant_id = reconciliations.tenant_id and subscriptions.id = subscription_id;

-- A delivery that is not reconciled yet shows the status that it is going to have. Scalar subqueries instead of a join: the
-- planner merges the two halves in order only if each is a plain scan.
create view all_deliveries with (security_invoker = true) as
  select tenant_id, id, subscription_id, event_id, type,
         case (select state from reconciliation_states as noted
                where noted.tenant_id = deliveries.tenant_id and noted.subscription_id = deliveries.subscription_id)
           when 'deleted' then 'cancelled'
           when 'paused' then 'paused'
           when 'active' then case when status <> 'paused' then status
                                   when attempt_count = 0 then 'pending' else 'retrying' end
           else status
         end as status,
         attempt_count, generation, created_at,
         case (select state from reconciliation_states as noted
                where noted.tenant_id = deliveries.tenant_id and noted.subscription_id = deliveries.subscription_id)
           when 'deleted' then null
           when 'paused' then null
           when 'active' then coalesce(next_attempt_at, created_at)
           else next_attempt_at
         end::timestamptz(3) as next_attempt_at,
         (select requested_at from reconciliation_states as noted
           where noted.tenant_id = deliveries.tenant_id and noted.subscription_id = deliveries.subscription_id
             and state = 'deleted')::timestamptz(3) as completed_at,
         replay_id
    from deliveries
   union all
  select tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation, created_at,
         null, completed_at, replay_id
    from delivery_log;

-- Events that a delivery, the log or a dead letter refers to remain when their day is dropped.
create view events_still_needed as
  select tenant_id, event_id as id from deliveries
   union all
  select tenant_id, event_id from delivery_log
   union all
  select tenant_id, event_id from dead_letters;

create function make_endpoint() returns trigger language plpgsql as $$
begin
  insert into endpoints (tenant_id, subscription_id) values (new.tenant_id, new.id);
  return new;
end
$$;
create trigger make_endpoint after insert on subscriptions for each row execute function make_endpoint();

-- The version, which is the ETag, counts changes by the owners: not the health, not a suspension, and not the replacement of the key
-- that seals the secrets. The command that seals them again sets `tradepost.resealing` for its statement.
create function count_version() returns trigger language plpgsql as $$
begin
  if current_setting('tradepost.resealing', true) is distinct from 'on' then
    new.version := old.version + 1;
  end if;
  return new;
end
$$;
create trigger count_version
  before update of name, url, events, active, secret_sealed, headers_sealed, max_per_second, max_in_flight, filter on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.secret_sealed, old.headers_sealed, old.max_per_second, old.max_in_flight, old.filter)
        is distinct from
        (new.name, new.url, new.events, new.secret_sealed, new.headers_sealed, new.max_per_second, new.max_in_flight, new.filter)
        or old.active <> new.active and old.held = new.held)
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

-- The standing of an endpoint without attempts is not kept, because nothing has changed it.
create function keep_standing() returns trigger language plpgsql as $$
begin
  insert into former_standings (tenant_id, origin, window_size, proven, down)
  values (old.tenant_id, old.origin, old.window_size, old.proven, old.down)
  on conflict (tenant_id, origin) do update
     set window_size = excluded.window_size, proven = excluded.proven, down = excluded.down, kept_at = excluded.kept_at;
  return null;
end
$$;
create trigger keep_standing_of_deleted after delete on endpoints for each row
  when (old.origin is not null and (old.window_size, old.proven, old.down) <> (2, false, false))
  execute function keep_standing();
create trigger keep_standing_at_former_origin after update of origin on endpoints for each row
  when (old.origin is not null and old.origin is distinct from new.origin
        and (old.window_size, old.proven, old.down) <> (2, false, false))
  execute function keep_standing();

-- For requests that were in progress when the tenant was suspended.
create function hold_subscription() returns trigger language plpgsql as $$
begin
  if exists (select from suspended_tenants where tenant_id = new.tenant_id) then
    new.active := false;
    new.held := true;
  end if;
  return new;
end
$$;
create trigger hold_inserted before insert on subscriptions for each row when (new.active) execute function hold_subscription();
create trigger hold_activated before update of active on subscriptions for each row
  when (new.active and not old.active) execute function hold_subscription();

-- Triggers run in the order of their names: if hold_activated has kept the subscription from becoming active, this one does not run.
create function note_resumption() returns trigger language plpgsql as $$
begin
  new.resumed_at := now();
  return new;
end
$$;
create trigger note_resumption before update of active on subscriptions
  for each row when (new.active and not old.active) execute function note_resumption();

-- Roles belong to the server, not to the database: they may already exist (deploy/postgres/). The data that the API shows a tenant is
-- read as `tradepost_webhooks_tenant`, which row-level security limits to that tenant's rows. Fan-out, dispatch and the routes that
-- change something act as `tradepost_webhooks`, which sees the rows of all tenants. The owner only migrates.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['tradepost_webhooks', 'tradepost_webhooks_tenant'] loop
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

revoke create on schema public from public;
grant usage on schema public to tradepost_webhooks, tradepost_webhooks_tenant;
-- The service reads it to see whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_webhooks;

grant select, insert, update, delete on subscriptions, endpoints, former_standings, listeners, events, events_other, received_bytes,
  deliveries, delivery_log, delivery_log_other, all_deliveries, attempts, attempts_other, response_bodies, response_bodies_other,
  dead_letters, reconciliations, reconciliation_states, replays, notices, notice_destinations, notice_messages, dispatchers, tallies,
  tally_gaps, missing_events, idempotency_records, outbox, published_events, published_events_other, replay, event_bytes
  to tradepost_webhooks;
grant select, insert, delete on former_targets to tradepost_webhooks;
grant select, update on event_tally to tradepost_webhooks;
grant select on suspended_tenants, deleted_tenants to tradepost_webhooks;
grant execute on function make_day, drop_day to tradepost_webhooks;

-- Not granted: sealed secrets, and every table that the API does not read.
grant select (tenant_id, id, name, url, events, active, secret_preview, consecutive_failures, last_success_at, last_failure_at,
              last_error, created_at, previous_secret_until, version, header_names, max_per_second, max_in_flight, held_until,
              failing_since, down_since, filter, payload_version)
  on subscriptions to tradepost_webhooks_tenant;
grant select on former_targets, listeners, events, received_bytes, deliveries, delivery_log, all_deliveries, attempts, response_bodies,
  reconciliations, reconciliation_states, replays, notices to tradepost_webhooks_tenant;

-- A policy on a partitioned table applies to rows that are read through the table; access to the partitions is not granted.
do $$
declare
  one_table text;
begin
  foreach one_table in array array['subscriptions', 'suspended_tenants', 'former_targets', 'former_standings', 'listeners', 'events',
                                   'received_bytes', 'event_bytes', 'deliveries', 'delivery_log', 'attempts', 'response_bodies',
                                   'reconciliations', 'replays', 'notices', 'notice_destinations', 'notice_messages',
                                   'missing_events'] loop
    execute format('alter table %I enable row level security', one_table);
    execute format('create policy all_tenants on %I to tradepost_webhooks using (true)', one_table);
  end loop;
  foreach one_table in array array['subscriptions', 'former_targets', 'listeners', 'events', 'received_bytes', 'deliveries',
                                   'delivery_log', 'attempts', 'response_bodies', 'reconciliations', 'replays', 'notices'] loop
    execute format(
      $policy$create policy one_tenant on %I for select to tradepost_webhooks_tenant
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, one_table);
  end loop;
  -- What was in progress while a tenant was deleted is not stored: everything else that a request inserts needs a subscription.
  foreach one_table in array array['subscriptions', 'notice_destinations'] loop
    execute format(
      $policy$create policy not_deleted on %I as restrictive for insert to tradepost_webhooks
              with check (not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(tenant_id))))$policy$, one_table);
  end loop;
end
$$;
