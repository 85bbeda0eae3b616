-- A window for each endpoint: so many of its deliveries are on the broker or under way, the rest waits here, oldest
-- first. A version of the service from before this file goes on working: what it leaves without a place is adopted.

-- Where a delivery that is pending or retrying is: it waits here to be let in; its message is in webhooks.deliveries or
-- its attempt under way; or its message is in the retry queue of its wait.
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

-- How much each endpoint is trusted with at once. Apart from its subscription, whose row every fan-out shares.
create table endpoints (
  tenant_id uuid not null,
  subscription_id uuid not null,
  window_size smallint not null default 10 check (window_size > 0),
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);

insert into endpoints (tenant_id, subscription_id) select tenant_id, id from subscriptions;

-- A version from before makes subscriptions without knowing of this.
create function make_endpoint() returns trigger language plpgsql as $$
begin
  insert into endpoints (tenant_id, subscription_id) values (new.tenant_id, new.id);
  return new;
end
$$;
create trigger make_endpoint after insert on subscriptions for each row execute function make_endpoint();

-- A plan that is made while a table is empty takes the index made last, and is kept: so the primary key is made last.
alter table attempts drop constraint attempts_tenant_id_delivery_id_fkey;
alter table deliveries drop constraint deliveries_pkey, add primary key (tenant_id, id);
alter table attempts add foreign key (tenant_id, delivery_id) references deliveries;
