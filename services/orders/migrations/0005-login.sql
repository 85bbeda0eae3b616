-- The service logs in as a role that owns nothing, and acts as the roles of migration 0002; the owner only migrates. The
-- previous version still works: it acts as the owner.

revoke create on schema public from public;
-- The service reads from it whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_orders, tradepost_orders_worker;

-- include: @tradepost/postgres/sql/day-partitions.sql
grant execute on function make_day, drop_day to tradepost_orders_worker;

-- Published events are stored for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);
