-- Filters of subscriptions, replays, and the columns that the ledger counts by (interface §18). Filling the indexes locks
-- deliveries and events for about 10 seconds per million. The previous release continues to work: it ignores filters, sends
-- replayed deliveries in the order of their time and without X-service-Replay, and its recoveries are copied to the replays.
-- works with: 0.2.0

alter table subscriptions
  -- Selects the events that the subscription wants by their data; null selects all.
  add column filter jsonb,
  add column payload_version smallint not null default 1;
grant select (filter, payload_version) on subscriptions to tradepost_webhooks_tenant;

drop trigger count_version on subscriptions;
create trigger count_version
  before update of name, url, events, active, secret_sealed, headers_sealed, max_per_second, max_in_flight, filter on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.secret_sealed, old.headers_sealed, old.max_per_second, old.max_in_flight, old.filter)
        is distinct from
        (new.name, new.url, new.events, new.secret_sealed, new.headers_sealed, new.max_per_second, new.max_in_flight, new.filter)
        or old.active <> new.active and old.held = new.held)
  execute function count_version();

alter table events
  -- Null if the resource has no version, and for an event that the previous release received.
  add column resource_version integer,
  -- By the id of a subscription, the fields of its filter that the event did not match. Null if no filter kept it back.
  add column filtered jsonb;
-- By their time, for replays and the ledger. The primary key is created last, as for deliveries below.
create index on events (tenant_id, occurred_at, id);
alter table events drop constraint events_pkey, add primary key (tenant_id, id);

alter table deliveries
  -- The replay that restarted or made it; its requests name it.
  add column replay_id uuid,
  -- What the replay took from the log, so that a cancelled one puts it back. Null for a delivery that the replay made.
  add column before_replay jsonb;
alter table delivery_log add column replay_id uuid;

-- Deliveries of a replay wait behind the endpoint's other waiting deliveries.
drop index deliveries_waiting;
create index deliveries_waiting on deliveries (tenant_id, subscription_id, (replay_id is not null), next_attempt_at, id)
  where queue_state = 'waiting' and status in ('pending', 'retrying');
-- While a table is empty the planner prefers the index created last, and keeps that plan: the primary key is created last.
alter table deliveries drop constraint deliveries_pkey, add primary key (tenant_id, id);

create or replace view all_deliveries with (security_invoker = true) as
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
  primary key (tenant_id, id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index replays_with_work on replays (created_at) where has_work;
create index replays_of_subscription on replays (subscription_id, tenant_id, created_at desc, id desc);

alter table replays enable row level security;
create policy all_tenants on replays to tradepost_webhooks using (true);
create policy one_tenant on replays for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select, insert, update, delete on replays to tradepost_webhooks;
grant select on replays to tradepost_webhooks_tenant;

-- A recovery is a replay of failed deliveries. A trigger copies the recoveries of the previous release; a later release drops
-- their table.
insert into replays (tenant_id, id, subscription_id, include, since, until, status, matched, requeued, created_at, finished_at, has_work)
select tenant_id, id, subscription_id, 'failed', since, until, case when finished_at is null then 'running' else 'finished' end,
       matched, requeued, created_at, finished_at, finished_at is null
  from recoveries;

create function copy_recovery() returns trigger language plpgsql as $$
begin
  insert into replays (tenant_id, id, subscription_id, include, since, until, status, matched, requeued, created_at, finished_at, has_work)
  values (new.tenant_id, new.id, new.subscription_id, 'failed', new.since, new.until,
          case when new.finished_at is null then 'running' else 'finished' end,
          new.matched, new.requeued, new.created_at, new.finished_at, new.finished_at is null)
  on conflict (tenant_id, id) do update
     set status = excluded.status, requeued = excluded.requeued, finished_at = excluded.finished_at, has_work = excluded.has_work;
  return null;
end
$$;
create trigger copy_recovery after insert or update on recoveries for each row execute function copy_recovery();
