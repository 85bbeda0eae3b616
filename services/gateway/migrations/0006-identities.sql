-- Staff users who sign in at the operator's OIDC provider (interface §25). The previous release ignores them, and accepts passwords
-- that a tenant has switched off as long as it runs.
-- works with: 1.0.0

create table identities (
  tenant_id uuid not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  -- As the provider named it when the user was bound. Only shown.
  email text,
  linked_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id),
  unique (issuer, subject),
  foreign key (tenant_id, user_id) references users on delete cascade
);
grant select, insert, update, delete on identities to tradepost_gateway;

alter table sessions add column by_oidc boolean not null default false;
alter table tenants add column password_sign_in boolean not null default true;
-- Passwords set with such a link are accepted although the tenant has switched passwords off.
alter table setup_links add column by_operator boolean not null default false;
alter table users add column password_by_operator boolean not null default false;
