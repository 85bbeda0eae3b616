-- The size of each event, so that relay and replay can bound a batch by bytes without reading the data, and the progress of
-- a replay, from the newest event to the oldest. The previous version uses the same tables without these columns.

-- include: @tradepost/messaging/sql/0003-event-sizes-and-replay.sql
