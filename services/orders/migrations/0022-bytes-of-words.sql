-- Counts the search words that a change stores towards the tenant's quota of bytes of events (interface §19). The previous release continues to work.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0008-bytes-of-words.sql
