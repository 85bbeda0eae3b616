-- Content types and their entries: revisions, drafts, what is live and what is to go live.

create table content_types (
  tenant_id uuid not null,
  id uuid not null,
  slug text not null,
  name text not null,
  -- [{key, type, required}], in the order in which they are shown.
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
  -- Of the latest revision.
  slug text not null,
  revision integer not null,
  -- Null while it is not live.
  published_revision integer,
  published_at timestamptz(3),
  -- Null while nothing is scheduled; the revision is pinned when it is.
  publish_at timestamptz(3),
  scheduled_revision integer,
  -- On whose behalf, for the event: {actor, requestId, traceparent}.
  scheduled_by json,
  -- When the publishing that is due is to be tried; later than publish_at once it failed.
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
  -- Names the revision in cursors.
  id uuid not null,
  revision integer not null,
  slug text not null,
  data json not null,
  -- Who wrote it: {type, id, name}.
  actor json not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, entry_id, revision),
  foreign key (tenant_id, entry_id) references entries on delete cascade
);

-- The slugs that an entry holds: of its latest revision, of its live one, and of the one that is scheduled.
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

-- Redirects are found by where they lead, too: what leads to a path that moves is led on.
create index redirects_to_path on redirects (tenant_id, to_path) where to_path is not null;
