-- Where the database is, and to which moments it was restored: the change feed refuses cursors of events that a restore has lost.
-- The previous release ignores it.
-- works with: 0.2.0

-- include: @tradepost/postgres/sql/restores.sql

grant select on restores to tradepost_content;
