-- Keys that work only from some addresses, and the addresses of their requests (interface §25). The previous release accepts a key
-- from everywhere as long as it runs.
-- works with: 1.0.0

-- Canonical: `203.0.113.0/24`, `2001:db8::1`. Null for all.
alter table api_keys add column allowed_addresses text[];
-- Of a key's request; null for a user's.
alter table requests add column ip text;
