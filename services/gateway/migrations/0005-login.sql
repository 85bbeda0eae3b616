-- The gateway logs in as a role that owns nothing and acts as `tradepost_gateway`; only migrations log in as the owner.
-- So not even RESET ROLE gives it a role that may change the audit log. The previous version of the service, which logs in
-- as the owner, still works.

revoke create on schema public from public;
-- The gateway reads it to see whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_gateway;
