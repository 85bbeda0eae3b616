-- Work that tenants share in turns: images that end their decoder are counted, and each tenant's next piece of work is
-- found by an index. The version before this one goes on without these columns and indexes.

-- Decoders that died on the image: of memory, of time, or of a fault. After the third it is failed.
alter table media add column processing_attempts smallint not null default 0;
-- Also of an image that waits: not before then is it tried again.
comment on column media.processing_until is 'while processing: whose worker counts as dead then; while uploaded: when it may be tried again';

create index media_turns on media (tenant_id, coalesce(processing_until, created_at), id)
  where status in ('uploaded', 'processing');
-- media_unfinished serves the version before this one.

create index entries_due_of_tenant on entries (tenant_id, schedule_try_at, id) where schedule_try_at is not null;

-- A type's entries are looked through by their ids, some at a time, before its fields change.
create index entries_of_type_by_id on entries (tenant_id, type, id);
