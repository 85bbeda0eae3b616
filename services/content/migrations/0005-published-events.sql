-- Events that the broker has confirmed, partitioned by day. If the broker loses its data or a queue, they are published
-- again; consumers recognise duplicates by the event's id.

-- include: @tradepost/messaging/sql/0002-published-events.sql

grant insert, select on published_events to tradepost_content_worker;
grant select, insert, update, delete on replay to tradepost_content_worker;
alter table published_events enable row level security, force row level security;
alter table replay enable row level security, force row level security;
create policy owner on published_events to current_user using (true);
create policy owner on replay to current_user using (true);
create policy worker on published_events to tradepost_content_worker using (true);
create policy worker on replay to tradepost_content_worker using (true);
