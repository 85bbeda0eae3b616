-- How large each event is, so that relay and replay can claim by bytes without reading the data; and how far a replay has
-- come from the newest event down. The version before writes and reads the same tables without these columns.

alter table outbox
  add column size_bytes integer not null generated always as (octet_length(data::text)) stored;

-- Null for what was published before this column existed.
alter table published_events add column size_bytes integer;

alter table replay
  -- The value of "until" with which this descent began; another one means that a replay was requested since.
  add column begun_until timestamptz,
  add column before_published_at timestamptz not null default 'infinity',
  add column before_id bigint not null default 0,
  -- How many events the next batch may have, and when it may start.
  add column batch_events integer not null default 1,
  add column not_before timestamptz not null default '-infinity';
