-- The responses to Idempotency-Keys. The previous version ignores the header and the table.

-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql

grant select, insert, update, delete on idempotency_records to tradepost_webhooks;
