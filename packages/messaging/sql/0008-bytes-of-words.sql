-- Counts the search words that a change stores, for as long as its event is kept. The outbox, which is small unless the broker is away,
-- is written anew.
alter table outbox
  drop column size_bytes,
  add column words_bytes integer not null default 0,
  add column size_bytes integer not null generated always as (octet_length(data::text) + words_bytes) stored;
