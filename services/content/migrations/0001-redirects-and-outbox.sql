-- URL redirects, and the outbox of their events.

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

-- include: @tradepost/messaging/sql/0001-outbox.sql
