-- Indexes for lists of entries: the live ones, the ones in each status, and those that claim a slug.

create index entries_live on entries (tenant_id, created_at desc, id desc) where published_revision is not null;
create index entries_live_of_type on entries (tenant_id, type, created_at desc, id desc)
  where published_revision is not null;
create index entries_scheduled on entries (tenant_id, created_at desc, id desc) where publish_at is not null;
create index entries_drafts on entries (tenant_id, created_at desc, id desc)
  where published_revision is null and publish_at is null;

create index entry_slugs_by_slug on entry_slugs (tenant_id, slug);
