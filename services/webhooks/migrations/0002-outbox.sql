-- The outbox: entries for the tenants' audit log, until they are published to the gateway.

-- include: @tradepost/messaging/sql/0001-outbox.sql
