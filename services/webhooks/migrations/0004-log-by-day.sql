-- Deliveries that have ended move to a log that is partitioned by day, and its oldest day is dropped as a whole. `deliveries`
-- stays small: it holds only open ones. Each event and response body is stored once. The previous version cannot
-- settle its attempts while it still runs: the next version repeats them.

alter table deliveries drop constraint deliveries_tenant_id_event_id_fkey;
alter table attempts drop constraint attempts_tenant_id_delivery_id_fkey;

-- Events by the day in their id. The default partition holds ids without a time, and events that are still needed after their
-- day has been dropped.
alter table events rename to events_other;
alter table events_other rename constraint events_pkey to events_other_pkey;
create table events (like events_other including defaults, primary key (tenant_id, id)) partition by range (id);
alter table events attach partition events_other default;

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
  primary key (tenant_id, id, completed_at)
) partition by range (completed_at);
create table delivery_log_other partition of delivery_log default;
create index on delivery_log (tenant_id, created_at desc, id desc);
create index on delivery_log (tenant_id, subscription_id, created_at desc, id desc);
create index on delivery_log (tenant_id, subscription_id, completed_at, id) where status = 'failed';

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
  laid_at timestamptz,
  primary key (tenant_id, delivery_id)
);
create index dead_letters_oldest_first on dead_letters (failed_at, delivery_id);
create index dead_letters_not_laid on dead_letters (failed_at) where laid_at is null;

insert into dead_letters
select deliveries.tenant_id, id, subscription_id, event_id, type, attempt_count, deliveries.generation, created_at,
       dead_since, case when outcome = 'http_status' then 'http_status ' || status_code else outcome end, enqueued_at
  from deliveries
  join attempts on attempts.tenant_id = deliveries.tenant_id and attempts.delivery_id = deliveries.id
               and attempts.generation = deliveries.generation and attempts.attempt = deliveries.attempt_count
 where dead_since is not null;

with over as (
  delete from deliveries where status in ('delivered', 'failed', 'cancelled')
  returning *
)
insert into delivery_log
select tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation, created_at,
       coalesce(completed_at, created_at)
  from over;

drop index deliveries_dead, deliveries_dead_not_laid;
alter table deliveries
  drop column dead_since,
  drop column completed_at,
  drop constraint deliveries_status_check,
  add constraint deliveries_status_check check (status in ('pending', 'retrying', 'paused'));

create view all_deliveries as
  select tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation, created_at,
         next_attempt_at, null::timestamptz(3) as completed_at
    from deliveries
   union all
  select tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation, created_at,
         null, completed_at
    from delivery_log;

-- Response bodies: each text once for a tenant and day.
create table response_bodies (
  tenant_id uuid not null,
  digest bytea not null,
  day date not null,
  body text not null,
  primary key (tenant_id, digest, day)
) partition by range (day);
create table response_bodies_other partition of response_bodies default;

alter table attempts add response_digest bytea;
update attempts set response_digest = sha256(convert_to(response_body, 'UTF8')) where response_body is not null;
insert into response_bodies
select distinct tenant_id, response_digest, (at at time zone 'utc')::date, response_body
  from attempts
 where response_body is not null;

-- Attempts by their day.
alter table attempts
  drop column response_body,
  drop constraint attempts_pkey,
  add constraint attempts_other_pkey primary key (tenant_id, delivery_id, generation, attempt, at);
alter table attempts rename to attempts_other;
create table attempts (
  like attempts_other including constraints,
  primary key (tenant_id, delivery_id, generation, attempt, at)
) partition by range (at);
alter table attempts attach partition attempts_other default;
