-- Where the database is, and to which moments it was restored: `ops verify` finds a restore that nobody has recorded. The
-- previous release ignores it.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/restores.sql
