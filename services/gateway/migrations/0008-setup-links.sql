-- One-time links with which a user sets a first or a forgotten password. A user has at most one; using it deletes it.

create table setup_links (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the token: safe for 256 random bits.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);

grant select, insert, update, delete on setup_links to tradepost_gateway;
