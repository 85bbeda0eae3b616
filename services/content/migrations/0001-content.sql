-- The schema of release 1.0.0: redirects; content types and their entries, with drafts, revisions, publication and schedules; media;
-- and the outbox.
-- works with: 1.0.0

create table redirects (
  tenant_id uuid not null,
  id uuid not null,
  -- A normal path, as lookups use it.
  from_path text not null,
  to_target text not null,
  -- The normal path of a target on the same site, for following chains; null for another site.
  to_path text,
  type smallint not null check (type in (301, 302, 307, 308)),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint redirects_from_key unique (tenant_id, from_path)
);
create index redirects_newest_first on redirects (tenant_id, created_at desc, id desc);
-- Finds the redirects to a path, to retarget them when an entry moves away from it.
create index redirects_to_path on redirects (tenant_id, to_path) where to_path is not null;

-- Makes creating a redirect one statement. A statement reads what was committed before it began, and here it first waits
-- for the tenant's lock, so it would not see what the lock's last holder wrote. Each query in a volatile function reads
-- what was committed before that query.

-- Locks the tenant's redirects until the transaction ends, then follows them from `start`. Returns 'goal' if they lead to
-- `goal`, 'too long' after more than `hops_max` redirects, or 'end'. `start` is null for a path on another site.
--
-- Its plan is made once per connection, perhaps while the table is empty, so it must not depend on the table's size.
create function follow_redirects(tenant uuid, start text, goal text, hops_max integer) returns text
language plpgsql volatile set enable_seqscan = off as $$
declare
  path text := start;
  hops integer := 0;
begin
  -- The same lock as in redirect-store.ts.
  perform pg_advisory_xact_lock(hashtextextended(tenant::text, 0));
  while path is not null loop
    if path = goal then
      return 'goal';
    elsif hops > hops_max then
      return 'too long';
    end if;
    path := (select to_path from redirects where tenant_id = tenant and from_path = path);
    hops := hops + 1;
  end loop;
  return 'end';
end
$$;

create table content_types (
  tenant_id uuid not null,
  id uuid not null,
  slug text not null,
  name text not null,
  -- [{key, type, required}], in display order.
  fields json not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, slug)
);
create index content_types_newest_first on content_types (tenant_id, created_at desc, id desc);

-- Each change of an entry updates its row.
create table entries (
  tenant_id uuid not null,
  id uuid not null,
  type text not null,
  locale text not null,
  -- The slug of the latest revision.
  slug text not null,
  revision integer not null,
  -- Null if the entry is not live.
  published_revision integer,
  published_at timestamptz(3),
  -- Null if nothing is scheduled. Later changes of the draft do not change the scheduled revision.
  publish_at timestamptz(3),
  scheduled_revision integer,
  -- The cause of the scheduled publication's event: {actor, requestId, traceparent}.
  scheduled_by json,
  -- When to try to publish; later than publish_at after a failure.
  schedule_try_at timestamptz(3),
  schedule_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Callers name it in If-Match. A trigger counts it.
  version integer not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, type) references content_types,
  check ((published_revision is null) = (published_at is null)),
  check ((scheduled_revision is null) = (publish_at is null) and (schedule_try_at is null) = (publish_at is null))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index entries_newest_first on entries (tenant_id, created_at desc, id desc);
create index entries_of_type on entries (tenant_id, type, created_at desc, id desc);
create index entries_due on entries (schedule_try_at) where schedule_try_at is not null;
create index entries_due_of_tenant on entries (tenant_id, schedule_try_at, id) where schedule_try_at is not null;
-- Before a type's fields change, its entries are checked in batches, by id.
create index entries_of_type_by_id on entries (tenant_id, type, id);
create index entries_live on entries (tenant_id, created_at desc, id desc) where published_revision is not null;
create index entries_live_of_type on entries (tenant_id, type, created_at desc, id desc)
  where published_revision is not null;
create index entries_scheduled on entries (tenant_id, created_at desc, id desc) where publish_at is not null;
create index entries_drafts on entries (tenant_id, created_at desc, id desc)
  where published_revision is null and publish_at is null;

create function count_entry_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
-- No statement can change an entry without a new version. When to try to publish is not part of what the API shows.
create trigger entries_version before update on entries for each row
  when ((old.revision, old.published_revision, old.published_at, old.publish_at, old.scheduled_revision,
         old.schedule_error, old.updated_at)
        is distinct from
        (new.revision, new.published_revision, new.published_at, new.publish_at, new.scheduled_revision,
         new.schedule_error, new.updated_at))
  execute function count_entry_version();

create table entry_revisions (
  tenant_id uuid not null,
  entry_id uuid not null,
  -- Identifies the revision in cursors.
  id uuid not null,
  revision integer not null,
  slug text not null,
  data json not null,
  -- The author: {type, id, name}.
  actor json not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, entry_id, revision),
  foreign key (tenant_id, entry_id) references entries on delete cascade
);

-- The slugs that entries have claimed: the slugs of their latest, live and scheduled revisions.
create table entry_slugs (
  tenant_id uuid not null,
  type text not null,
  locale text not null,
  slug text not null,
  entry_id uuid not null,
  primary key (tenant_id, type, locale, slug),
  foreign key (tenant_id, entry_id) references entries on delete cascade
);
create index entry_slugs_of_entry on entry_slugs (tenant_id, entry_id);
create index entry_slugs_by_slug on entry_slugs (tenant_id, slug);

-- Uploaded files and the derivatives of images. The bytes are in the storage.
create table media (
  tenant_id uuid not null,
  id uuid not null,
  filename text not null,
  -- Detected from the bytes.
  content_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  status text not null check (status in ('uploaded', 'processing', 'ready', 'failed')),
  -- Set if the status is failed.
  failure_reason text,
  -- Dimensions after EXIF rotation.
  width integer,
  height integer,
  -- [{name, width, height, contentType, sizeBytes}]
  variants json not null default '[]',
  created_at timestamptz(3) not null default now(),
  -- The cause of the event that its processing will emit: {actor, requestId, traceparent}.
  uploaded_by json not null,
  -- While uploaded: when the next attempt is due. While processing: when the worker counts as dead.
  processing_until timestamptz,
  -- Attempts in which the decoder ran out of memory or time, or crashed. After the third the image is failed.
  processing_attempts smallint not null default 0,
  -- A link is valid while this is the number that it was signed with.
  links_ended_count integer not null default 0,
  primary key (tenant_id, id)
);
create index media_newest_first on media (tenant_id, created_at desc, id desc);
create index media_unfinished on media (created_at) where status in ('uploaded', 'processing');
-- Tenants take turns.
create index media_turns on media (tenant_id, coalesce(processing_until, created_at), id)
  where status in ('uploaded', 'processing');

-- Files in the storage that belong to no asset. A row is inserted before the first byte of an upload is stored, and deleted
-- in the transaction that creates the asset; or inserted in the transaction that deletes an asset. Files that are due are
-- deleted.
create table storage_leftovers (
  tenant_id uuid not null,
  -- All files of an asset are in the folder with its id.
  media_id uuid not null,
  remove_at timestamptz not null,
  primary key (tenant_id, media_id)
);
create index storage_leftovers_due on storage_leftovers (remove_at);

-- How many bytes of media are kept for each tenant, with their variants, for its quota (interface §19).
create table media_bytes (
  tenant_id uuid primary key,
  bytes bigint not null
);

create function bytes_of(size_bytes bigint, variants json) returns bigint language sql immutable as $$
  select size_bytes + coalesce((select sum((variant ->> 'sizeBytes')::bigint) from json_array_elements(variants) as variant), 0)
$$;

create function count_media_bytes() returns trigger language plpgsql as $$
declare
  was bigint := case when tg_op = 'INSERT' then 0 else bytes_of(old.size_bytes, old.variants) end;
  "is" bigint := case when tg_op = 'DELETE' then 0 else bytes_of(new.size_bytes, new.variants) end;
begin
  if "is" <> was then
    insert into media_bytes as counted (tenant_id, bytes)
    values (case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end, "is" - was)
    on conflict (tenant_id) do update set bytes = counted.bytes + excluded.bytes;
  end if;
  return null;
end
$$;
create trigger count_media_bytes after insert or update of size_bytes, variants or delete on media
  for each row execute function count_media_bytes();

-- include: @tradepost/messaging/sql/0001-outbox.sql
-- include: @tradepost/idempotency/sql/0001-idempotency-records.sql
-- include: @tradepost/postgres/sql/deleted-tenants.sql
-- include: @tradepost/postgres/sql/restores.sql
-- include: @tradepost/postgres/sql/day-partitions.sql
-- Published events are kept for 7 days.
insert into day_tables values ('published_events', 'published_at', 'timestamptz', 7);

-- Roles belong to the server, not to the database: they may already exist (deploy/postgres/). For requests, the service acts as a
-- role that sees the rows of one tenant, in addition to the condition on the tenant in each statement. Its workers' role finds due
-- work in a few columns of every tenant; the tenant's role does it. The owner only migrates.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['tradepost_content', 'tradepost_content_worker'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        raise exception 'role % does not exist and % may not create it: run deploy/postgres/create-roles.sh first',
          role_name, current_user;
    end;
  end loop;
end
$$;

revoke create on schema public from public;
grant usage on schema public to tradepost_content, tradepost_content_worker;
-- With it, the service checks whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_content, tradepost_content_worker;

grant select, insert, delete on redirects, entry_revisions, idempotency_records to tradepost_content;
grant select, insert, update on content_types, media_bytes, event_bytes to tradepost_content;
grant select, insert, update, delete on entries, entry_slugs, media, storage_leftovers to tradepost_content;
grant select, insert on outbox to tradepost_content;
grant select on published_events, deleted_tenants, restores to tradepost_content;
grant execute on function follow_redirects to tradepost_content;

grant select (tenant_id, id, schedule_try_at) on entries to tradepost_content_worker;
grant select (tenant_id, id, status, created_at, processing_until) on media to tradepost_content_worker;
grant select, delete on storage_leftovers, idempotency_records to tradepost_content_worker;
grant select, update, delete on outbox to tradepost_content_worker;
grant select on sequence outbox_id_seq to tradepost_content_worker;
grant select, insert on published_events to tradepost_content_worker;
-- After a restore, the events get another transaction id.
grant update (xid) on published_events to tradepost_content_worker;
grant select, insert, update, delete on replay, event_bytes to tradepost_content_worker;
grant select, update on event_tally to tradepost_content_worker;
grant execute on function make_day, drop_day to tradepost_content_worker;

-- The policies also apply to the owner, which has a policy for all rows: migrations and operators act as the owner.
do $$
declare
  one_table text;
begin
  foreach one_table in array array['redirects', 'content_types', 'entries', 'entry_revisions', 'entry_slugs', 'media', 'media_bytes',
                                   'storage_leftovers', 'outbox', 'idempotency_records', 'event_bytes', 'published_events',
                                   'replay'] loop
    execute format('alter table %I enable row level security, force row level security', one_table);
    execute format('create policy owner on %I to current_user using (true)', one_table);
  end loop;
  foreach one_table in array array['redirects', 'content_types', 'entries', 'entry_revisions', 'entry_slugs', 'media', 'media_bytes',
                                   'storage_leftovers', 'outbox', 'idempotency_records', 'event_bytes'] loop
    execute format(
      $policy$create policy one_tenant on %I to tradepost_content
              using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid)$policy$, one_table);
  end loop;
  foreach one_table in array array['entries', 'media', 'storage_leftovers', 'outbox', 'idempotency_records', 'event_bytes',
                                   'published_events', 'replay'] loop
    execute format('create policy worker on %I to tradepost_content_worker using (true)', one_table);
  end loop;
end
$$;
create policy one_tenant on published_events for select to tradepost_content
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);

-- A request that was in progress while its tenant was deleted cannot write an event, and so changes nothing. The condition names
-- no column, so a statement looks the tenant up once, however many rows it inserts.
create policy not_deleted on outbox as restrictive for insert to tradepost_content
  with check (not exists (
    select from deleted_tenants
     where tenant_digest = sha256(uuid_send(nullif(current_setting('tradepost.tenant_id', true), '')::uuid))));
