-- The gateway logs in as a role that owns nothing and acts as `tradepost_gateway`; the owner only migrates. So not even
-- RESET ROLE leads to a role that may change the audit log. A version from before this file goes on working: it logs in
-- as the owner.

revoke create on schema public from public;
-- By it the gateway sees whether the migrations that it needs have run.
grant select on kysely_migration to tradepost_gateway;
