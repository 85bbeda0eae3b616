-- The outbox of the service: entries for the tenants' audit log, on their way to the gateway.

-- include: @tradepost/messaging/sql/0001-outbox.sql
