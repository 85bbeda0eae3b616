-- Events that the broker confirmed, partitioned by day. They are published again if the broker has lost its data or a queue;
-- consumers recognise duplicates by the id.

-- include: @tradepost/messaging/sql/0002-published-events.sql
