-- The transaction of each event, which the relay copies.

-- include: @tradepost/messaging/sql/0004-change-feed.sql
