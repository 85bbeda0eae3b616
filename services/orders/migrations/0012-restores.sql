-- The identity of the database, and the moments to which it was restored. With these the change feed refuses cursors of events
-- that a restore has lost. The previous release ignores the table.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/restores.sql

grant select on restores to tradepost_orders;
