-- A window for each endpoint limits how many of its deliveries are queued or being attempted. The rest waits in Postgres, oldest
-- first. The previous version continues to work: the sweep requeues the deliveries that it leaves without a place.

-- Where a pending or retrying delivery is. waiting: in Postgres, until its endpoint's window has room. queued: its message
-- is in webhooks.deliveries, or its attempt is in progress. delayed: its message is in a retry queue.
alter table deliveries add place text check (place in ('waiting', 'queued', 'delayed'));

create index deliveries_waiting on deliveries (tenant_id, subscription_id, next_attempt_at, id)
  where place = 'waiting' and status in ('pending', 'retrying');
create index deliveries_queued on deliveries (tenant_id, subscription_id)
  where place = 'queued' and status in ('pending', 'retrying');
create index deliveries_delayed on deliveries (next_attempt_at)
  where place = 'delayed' and status in ('pending', 'retrying');
create index deliveries_without_place on deliveries (next_attempt_at)
  where place is null and status in ('pending', 'retrying');
drop index deliveries_due;

-- The window of each endpoint. Not a column of subscriptions, because every fan-out locks their rows.
create table endpoints (
  tenant_id uuid not null,
  subscription_id uuid not null,
  window_size smallint not null default 10 check (window_size > 0),
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);

insert into endpoints (tenant_id, subscription_id) select tenant_id, id from subscriptions;

-- For subscriptions that the previous version creates.
create function make_endpoint() returns trigger language plpgsql as $$
begin
  insert into endpoints (tenant_id, subscription_id) values (new.tenant_id, new.id);
  return new;
end
$$;
create trigger make_endpoint after insert on subscriptions for each row execute function make_endpoint();

-- While a table is empty the planner prefers the index created last, and keeps that plan: the primary key is created last.
alter table attempts drop constraint attempts_tenant_id_delivery_id_fkey;
alter table deliveries drop constraint deliveries_pkey, add primary key (tenant_id, id);
alter table attempts add foreign key (tenant_id, delivery_id) references deliveries;
