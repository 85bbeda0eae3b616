-- Who may use the API: tenants with their modules, staff users with their sessions, and API keys.

create table tenants (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table tenant_modules (
  tenant_id uuid not null references tenants,
  name text not null check (name in ('crm', 'content')),
  active boolean not null,
  primary key (tenant_id, name)
);

create table users (
  tenant_id uuid not null references tenants,
  id uuid not null,
  -- Lower case; unique on the platform because sign-in names no tenant.
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  active boolean not null default true,
  password_hash text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

create table sessions (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the refresh secret in the cookie.
  refresh_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users on delete cascade
);

create table api_keys (
  tenant_id uuid not null references tenants,
  id uuid not null,
  -- The public part of sk_live_<key_id>_<secret>. Every request finds its key by it.
  key_id text not null unique,
  -- SHA-256 of the secret: safe for 256 random bits, and fast enough for every request.
  secret_hash bytea not null check (length(secret_hash) = 32),
  label text not null,
  scopes text[] not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (tenant_id, id)
);

create index api_keys_newest_first on api_keys (tenant_id, created_at desc, id desc);
