-- Renames two columns: a delivery's `place` becomes `queue_state`, a dead letter's `laid_at` becomes `published_at`.
--
-- This is the expand step. Old and new column both exist, and triggers keep them equal, so the previous version continues to
-- work. Its statements lose their indexes: they are slower, not wrong. Filling the new columns locks both tables for about 2
-- seconds per 100,000 deliveries that are not paused.
--
-- The contract step belongs in a migration of a later release, which must not be rolled back to a version from before this
-- file:
--
--   drop trigger copy_queue_state on deliveries;
--   drop trigger copy_published_at on dead_letters;
--   drop function copy_queue_state, copy_published_at;
--   alter table deliveries drop column place;
--   alter table dead_letters drop column laid_at;

-- Where a pending or retrying delivery is. waiting: in Postgres, until its endpoint's window has room. queued: its message is
-- in webhooks.deliveries, or its attempt is in progress. delayed: its message is in a retry queue.
alter table deliveries add column queue_state text check (queue_state in ('waiting', 'queued', 'delayed'));
-- When the broker confirmed the message in webhooks.dead. The sweep publishes a dead letter where this is null.
alter table dead_letters add column published_at timestamptz;

update deliveries set queue_state = place where place is not null;
update dead_letters set published_at = laid_at where laid_at is not null;

-- Each trigger runs only for a statement that makes the columns differ. Before it they are equal, so the column that
-- changed has the new value.
create function copy_queue_state() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.queue_state := coalesce(new.queue_state, new.place);
    new.place := new.queue_state;
  elsif new.place is distinct from old.place then
    new.queue_state := new.place;
  else
    new.place := new.queue_state;
  end if;
  return new;
end
$$;
create trigger copy_queue_state before insert or update of place, queue_state on deliveries
  for each row when (new.queue_state is distinct from new.place) execute function copy_queue_state();

create function copy_published_at() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.published_at := coalesce(new.published_at, new.laid_at);
    new.laid_at := new.published_at;
  elsif new.laid_at is distinct from old.laid_at then
    new.published_at := new.laid_at;
  else
    new.laid_at := new.published_at;
  end if;
  return new;
end
$$;
create trigger copy_published_at before insert or update of laid_at, published_at on dead_letters
  for each row when (new.published_at is distinct from new.laid_at) execute function copy_published_at();

drop index deliveries_waiting, deliveries_queued, deliveries_delayed, deliveries_without_place, dead_letters_not_laid;
create index deliveries_waiting on deliveries (tenant_id, subscription_id, next_attempt_at, id)
  where queue_state = 'waiting' and status in ('pending', 'retrying');
create index deliveries_queued on deliveries (tenant_id, subscription_id)
  where queue_state = 'queued' and status in ('pending', 'retrying');
create index deliveries_delayed on deliveries (next_attempt_at)
  where queue_state = 'delayed' and status in ('pending', 'retrying');
create index deliveries_without_queue_state on deliveries (next_attempt_at)
  where queue_state is null and status in ('pending', 'retrying');
create index dead_letters_unpublished on dead_letters (failed_at) where published_at is null;

-- While a table is empty the planner prefers the index created last, and keeps that plan: the primary key is created last.
alter table deliveries drop constraint deliveries_pkey, add primary key (tenant_id, id);
