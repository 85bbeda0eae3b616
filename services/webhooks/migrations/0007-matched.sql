-- How many subscriptions an event matched when it was fanned out: as many deliveries it has for as long as the log goes
-- back, whatever becomes of them. Null for events from before this file, and from a version that does not know of it.

alter table events add matched smallint;
