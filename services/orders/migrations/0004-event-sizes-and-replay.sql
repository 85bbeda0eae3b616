-- How large each event is, so that relay and replay can claim by bytes without reading the data; and how far a replay has
-- come from the newest event down. The version before writes and reads the same tables without these columns.

-- include: @tradepost/messaging/sql/0003-event-sizes-and-replay.sql
