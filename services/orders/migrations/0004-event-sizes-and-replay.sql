-- The size of each event, so that relay and replay can limit a batch in bytes without reading the data, and the position of
-- a replay, which runs from the newest event to the oldest. The previous version works without these columns.

-- include: @tradepost/messaging/sql/0003-event-sizes-and-replay.sql
