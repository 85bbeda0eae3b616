-- Media assets: what was uploaded, and the derivatives that are made of it. The bytes are in the storage.

create table media (
  tenant_id uuid not null,
  id uuid not null,
  filename text not null,
  -- Told by its bytes.
  content_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  status text not null check (status in ('uploaded', 'processing', 'ready', 'failed')),
  -- Why, where it failed.
  failure_reason text,
  -- Upright, as it is seen.
  width integer,
  height integer,
  -- [{name, width, height, contentType, sizeBytes}]
  variants json not null default '[]',
  created_at timestamptz(3) not null default now(),
  -- On whose behalf it was uploaded, for the event of its processing: {actor, requestId, traceparent}.
  uploaded_by json not null,
  -- While a worker has it in hand; past means that the worker died.
  processing_until timestamptz,
  primary key (tenant_id, id)
);
create index media_newest_first on media (tenant_id, created_at desc, id desc);
create index media_unfinished on media (created_at) where status in ('uploaded', 'processing');

-- What is in the storage and belongs, or soon belongs, to no asset: written before an upload's first byte and deleted
-- with the commit of its asset; written with the commit of a deletion. What is due is removed.
create table storage_leftovers (
  tenant_id uuid not null,
  -- Everything of an asset lies under its id.
  media_id uuid not null,
  remove_at timestamptz not null,
  primary key (tenant_id, media_id)
);
create index storage_leftovers_due on storage_leftovers (remove_at);
