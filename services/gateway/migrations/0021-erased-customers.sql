-- The second list of erased customers; the first is in the database of orders. The previous release continues to work: it writes
-- the audit entries of erasures without the list, so customers are erased only once it no longer runs.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/erased-customers.sql

grant insert on erased_customers to tradepost_gateway;
