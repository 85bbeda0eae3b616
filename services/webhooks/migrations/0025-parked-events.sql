-- An index of the events that can never be published. The outbox is locked while it is scanned, about a second per million events.
-- works with: 0.2.0

-- include: @tradepost/messaging/sql/0006-parked-events.sql
