-- The transaction that created a replay: its first batch waits for all older ones, which may hold events that they matched with the
-- subscriptions of before. The previous release continues to work: its replays have it too, but it does not wait.
-- works with: 0.2.0

alter table replays add column created_xid xid8 not null default pg_current_xact_id();
