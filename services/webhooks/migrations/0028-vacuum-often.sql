-- Tables that change all the time are vacuumed before they are a fifth larger (docs/performance.md). The migration locks no rows.
-- works with: 0.2.0

-- include: @tradepost/idempotency/sql/0002-vacuum-often.sql

-- Each delivery is inserted, changed about three times and deleted, next to a backlog that may have millions of rows.
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
