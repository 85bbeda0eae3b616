-- The tenants that the operator has deleted, each as the SHA-256 of its id, which does not identify it. Requests and messages that
-- were in progress during the deletion find it here and write nothing.
create table deleted_tenants (
  tenant_digest bytea primary key check (length(tenant_digest) = 32),
  deleted_at timestamptz(3) not null default now()
);
