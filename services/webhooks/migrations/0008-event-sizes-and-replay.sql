-- The size of each event, so that relay and replay can claim by bytes without reading the data; and the progress of a replay,
-- which goes from the newest event to the oldest. The previous version does not need these columns.

-- include: @tradepost/messaging/sql/0003-event-sizes-and-replay.sql
