-- Content types and their entries, with drafts, revisions, publication and schedules.

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
  primary key (tenant_id, id),
  foreign key (tenant_id, type) references content_types,
  check ((published_revision is null) = (published_at is null)),
  check ((scheduled_revision is null) = (publish_at is null) and (schedule_try_at is null) = (publish_at is null))
);
create index entries_newest_first on entries (tenant_id, created_at desc, id desc);
create index entries_of_type on entries (tenant_id, type, created_at desc, id desc);
create index entries_due on entries (schedule_try_at) where schedule_try_at is not null;

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

-- Finds the redirects to a path, to retarget them when an entry moves away from it.
create index redirects_to_path on redirects (tenant_id, to_path) where to_path is not null;
