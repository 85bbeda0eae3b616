-- The outbox is the same in every service. No words are stored here. The previous release continues to work.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0008-bytes-of-words.sql
