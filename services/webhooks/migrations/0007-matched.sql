-- How many subscriptions an event matched at its fan-out. It has that many deliveries, whatever their status, as long as
-- the log goes back. Null for events from before this file and for those of an older version.

alter table events add matched smallint;
