-- Published events, partitioned by day. They are replayed if the broker has lost its data or a queue; consumers recognise
-- duplicates by their ids.

-- include: @tradepost/messaging/sql/0002-published-events.sql

grant insert, select on published_events to tradepost_orders_worker;
grant select, insert, update, delete on replay to tradepost_orders_worker;
alter table published_events enable row level security, force row level security;
alter table replay enable row level security, force row level security;
create policy owner on published_events to current_user using (true);
create policy owner on replay to current_user using (true);
create policy worker on published_events to tradepost_orders_worker using (true);
create policy worker on replay to tradepost_orders_worker using (true);
