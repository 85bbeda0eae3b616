-- Events that the broker confirmed, kept by day for a while: where the broker has lost its data, or a queue, they are
-- published again, and whoever consumed them before knows them by their ids.

-- include: @tradepost/messaging/sql/0002-published-events.sql
