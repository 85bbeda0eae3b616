-- The service logs in as a role that owns nothing and acts as the roles of migration 0004; the owner only migrates. A
-- version older than this migration still works, because it acts as the owner.

revoke create on schema public from public;
-- With it, the service checks whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_content, tradepost_content_worker;

-- include: @tradepost/postgres/sql/day-partitions.sql
grant execute on function make_day, drop_day to tradepost_content_worker;

-- Published events are kept for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);
