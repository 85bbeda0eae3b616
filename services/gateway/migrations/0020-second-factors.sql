-- Second factors of users (interface §20): their sealed secrets, recovery codes, and the sign-ins that wait for a code. The previous
-- release ignores all of it: it signs users in with their password only.
-- works with: 0.2.0

-- Users without a second factor may only set one up.
alter table tenants add column require_second_factor boolean not null default false;

-- When the user confirmed the second factor; null without one.
alter table users add column second_factor_since timestamptz(3);

create table second_factors (
  tenant_id uuid not null,
  user_id uuid not null,
  -- The TOTP secret, sealed with a key that is derived from the key of TOKEN_SIGNING_KEYS with the id sealed_with.
  secret_sealed bytea not null,
  sealed_with text not null,
  -- The time step of the latest code that was used. Codes of this step and of earlier ones are refused.
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users on delete cascade
);

-- Secrets that another key sealed, which are sealed again.
create index second_factors_sealed_with on second_factors (sealed_with, tenant_id, user_id);

-- Using a code deletes it.
create table recovery_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the user's id and the code, which has 80 random bits.
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references second_factors on delete cascade
);

-- Sign-ins whose password was right, and whose code has not arrived yet.
create table unfinished_sign_ins (
  tenant_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the token: safe for 256 random bits.
  token_hash bytea not null unique check (length(token_hash) = 32),
  failed_codes smallint not null default 0,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, user_id, token_hash),
  foreign key (tenant_id, user_id) references users on delete cascade
);

create index unfinished_sign_ins_expired on unfinished_sign_ins (expires_at);

grant select, insert, update, delete on second_factors, recovery_codes, unfinished_sign_ins to tradepost_gateway;
