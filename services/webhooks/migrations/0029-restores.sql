-- The identity of the database, and the moments to which it was restored. With these `ops verify` finds a restore that nobody has
-- recorded. The previous release ignores the table.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/restores.sql
