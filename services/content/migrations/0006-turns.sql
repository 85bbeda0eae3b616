-- Lets tenants take turns: counts failed attempts to process an image, and finds each tenant's next work with an index. The
-- previous version works without these columns and indexes.

-- Attempts in which the decoder ran out of memory or time, or crashed. After the third the image is failed.
alter table media add column processing_attempts smallint not null default 0;
-- Now set for a waiting image, too.
comment on column media.processing_until is 'while processing: when the worker counts as dead; while uploaded: when the next attempt is due';

create index media_turns on media (tenant_id, coalesce(processing_until, created_at), id)
  where status in ('uploaded', 'processing');
-- media_unfinished is for the previous version.

create index entries_due_of_tenant on entries (tenant_id, schedule_try_at, id) where schedule_try_at is not null;

-- Before a type's fields change, its entries are checked in batches, by id.
create index entries_of_type_by_id on entries (tenant_id, type, id);
