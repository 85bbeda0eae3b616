-- The first response to each Idempotency-Key, inserted in the transaction of the request. Deleted after 24 hours; with the
-- default, a fifth of the table would be dead before it is vacuumed.
create table idempotency_records (
  tenant_id uuid not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz(3) not null default now()
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index idempotency_records_oldest_first on idempotency_records (created_at);
-- Rows are deleted after a day, so compressing them is not worth its CPU time.
alter table idempotency_records alter answer set storage external;
-- Created last: while a table is empty, the planner chooses the newest of its indexes and keeps that plan until the next
-- ANALYZE, and this is the index of every look-up.
alter table idempotency_records add primary key (tenant_id, route, key);
