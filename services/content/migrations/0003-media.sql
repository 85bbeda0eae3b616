-- Media assets: uploaded files and the derivatives of images. The bytes are in the storage.

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
  -- When the worker's claim expires. If this time is past, the worker has died.
  processing_until timestamptz,
  primary key (tenant_id, id)
);
create index media_newest_first on media (tenant_id, created_at desc, id desc);
create index media_unfinished on media (created_at) where status in ('uploaded', 'processing');

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
