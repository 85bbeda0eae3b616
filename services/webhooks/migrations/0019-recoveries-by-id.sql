-- While a table is empty, an index whose key has tenant_id could be chosen for a lookup of a recovery by tenant and id, and the
-- plan would be kept. The previous version continues to work.

drop index recoveries_of_subscription;
create index recoveries_of_subscription on recoveries (subscription_id) include (tenant_id);
