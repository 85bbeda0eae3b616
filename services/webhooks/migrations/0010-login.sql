-- The service logs in as a role that owns nothing and acts as `tradepost_webhooks`; the owner only runs migrations. The previous
-- version continues to work: it acts as the owner.

-- Roles belong to the server, not to the database: they may exist already (deploy/postgres/).
do $$
begin
  if not exists (select from pg_roles where rolname = 'tradepost_webhooks') then
    create role tradepost_webhooks nologin;
  end if;
exception
  when duplicate_object or unique_violation then
    null;
  when insufficient_privilege then
    raise exception 'role tradepost_webhooks is missing, and % may not make it: run deploy/postgres/create-roles.sh first',
      current_user;
end
$$;

revoke create on schema public from public;
grant usage on schema public to tradepost_webhooks;
grant select, insert, update, delete on all tables in schema public to tradepost_webhooks;
-- The service reads it to see whether the migrations that it needs have run.
revoke all on kysely_migration, kysely_migration_lock from tradepost_webhooks;
grant select on kysely_migration to tradepost_webhooks;

-- include: @tradepost/postgres/sql/day-partitions.sql
grant execute on function make_day, drop_day to tradepost_webhooks;

-- Events that a delivery, the log or a dead letter refers to remain when their day is dropped.
create view events_still_needed as
  select tenant_id, event_id as id from deliveries
   union all
  select tenant_id, event_id from delivery_log
   union all
  select tenant_id, event_id from dead_letters;

-- The log goes back at least 8 days, longer than the 7 for which events are published again.
insert into day_tables values
  ('published_events', 'published_at', 'timestamptz', 7),
  ('delivery_log', 'completed_at', 'timestamptz', 8),
  ('attempts', 'at', 'timestamptz', 8),
  ('response_bodies', 'day', 'date', 8),
  ('events', 'id', 'uuid', 8);
