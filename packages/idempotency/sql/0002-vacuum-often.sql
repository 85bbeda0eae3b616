-- Every record is deleted after a day. With the default, a fifth of the table would be dead before it is vacuumed.
alter table idempotency_records set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
