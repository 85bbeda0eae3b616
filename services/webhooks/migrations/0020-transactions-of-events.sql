-- The relay stores the transaction of each event in every service, though only orders and content have a change feed.

-- include: @tradepost/messaging/sql/0004-change-feed.sql
