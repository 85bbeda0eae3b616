-- Dead letters of a subscription by the time of their failure, for replays of deliveries whose row in the log was dropped. Creating
-- the index takes about a second per million dead letters. The previous release continues to work.
-- works with: 0.2.0

create index on dead_letters (tenant_id, subscription_id, failed_at, delivery_id);
