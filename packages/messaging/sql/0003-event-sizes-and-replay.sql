-- Adds the size of each event, so that relay and replay can limit a batch by bytes without reading the data, and the
-- progress of a replay that goes from the newest event to the oldest. The previous version works without these columns.
alter table outbox
  add column size_bytes integer not null generated always as (octet_length(data::text)) stored;

-- Null for events published before this column existed.
alter table published_events add column size_bytes integer;

alter table replay
  -- The value of "until" when the replay began. A different "until" means that another replay was requested since.
  add column begun_until timestamptz,
  add column before_published_at timestamptz not null default 'infinity',
  add column before_id bigint not null default 0,
  -- The largest number of events in the next batch, and the time before which it does not start.
  add column batch_events integer not null default 1,
  add column not_before timestamptz not null default '-infinity';
