-- The outbox: the gateway's own events, until they are published. Only the operator's commands, as the owner, insert them.

-- include: @tradepost/messaging/sql/0001-outbox.sql
-- include: @tradepost/messaging/sql/0002-published-events.sql
-- include: @tradepost/messaging/sql/0003-event-sizes-and-replay.sql
-- include: @tradepost/postgres/sql/day-partitions.sql

grant select, update, delete on outbox to tradepost_gateway;
grant select, insert on published_events to tradepost_gateway;
grant select, insert, update, delete on replay to tradepost_gateway;
grant execute on function make_day, drop_day to tradepost_gateway;

-- Published events are stored for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);
