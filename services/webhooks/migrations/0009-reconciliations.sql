-- Reconciliations: subscriptions that were paused, resumed or deleted and whose open deliveries are being updated in
-- batches; and indexes for the clean-up of the log. The previous version updates all deliveries at once, as
-- before.

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

-- The current state of each subscription that is being reconciled.
create view reconciliation_states as
  select reconciliations.tenant_id, subscription_id, requested_at,
         case when subscriptions.id is null then 'deleted' when active then 'active' else 'paused' end as state
    from reconciliations
    left join subscriptions on subscriptions.tenant_id = reconciliations.tenant_id and subscriptions.id = subscription_id;

-- A delivery that is not reconciled yet shows the status that it is going to have. Scalar subqueries instead of a join: the
-- planner merges the two halves in order only if each is a plain scan.
create or replace view all_deliveries as
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
             and state = 'deleted')::timestamptz(3) as completed_at
    from deliveries
   union all
  select tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation, created_at,
         null, completed_at
    from delivery_log;

-- For the lookup whether an event is still needed. `deliveries` has an index for it, the unique constraint.
create index on delivery_log (tenant_id, event_id);
create index dead_letters_of_event on dead_letters (tenant_id, event_id);

-- Rows in default partitions are deleted by their age.
create index events_other_oldest_first on events_other (received_at, tenant_id, id);
create index delivery_log_other_oldest_first on delivery_log_other (completed_at);
create index attempts_other_oldest_first on attempts_other (at);
create index response_bodies_other_oldest_first on response_bodies_other (day);
