-- Audit entries that a service has published and that did not arrive: the service says which it has published. The previous release goes
-- on working.
-- works with: 0.2.0

-- Until which time of publication, by the clock of its database, the entries of each service have been compared.
create table audit_tallies (
  service text primary key,
  compared_until timestamptz not null,
  asked_at timestamptz not null
);

create table missing_audit_entries (
  tenant_id uuid not null,
  entry_id uuid not null,
  service text not null,
  published_since timestamptz not null,
  published_until timestamptz not null,
  noticed_at timestamptz not null default now(),
  primary key (tenant_id, entry_id)
);

grant select, insert, update on audit_tallies to tradepost_gateway;
grant select, insert, delete on missing_audit_entries to tradepost_gateway;
