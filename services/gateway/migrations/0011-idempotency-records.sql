-- The first response to each Idempotency-Key, without its secrets.

-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql

alter table idempotency_records add foreign key (tenant_id) references tenants;
grant select, insert, delete on idempotency_records to tradepost_gateway;
