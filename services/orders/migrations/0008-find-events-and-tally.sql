-- Indexes with which operators find events by their resource, and the table of the relay's tally. The previous release continues
-- to work.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0005-find-events-and-tally.sql

grant select, update on event_tally to tradepost_orders_worker;
