-- The transaction of each event. The change feed lists the events in the order of their transactions: those below the
-- oldest open one are complete, so a reader never passes an event that commits later. Events from before this migration
-- have transaction 0.
--
-- A relay of the previous version does not copy the column. The default then gives the transaction that moved the event, so
-- that a reader may see it twice but does not miss it.
--
-- The outbox comes last, because everyone who commits an event waits for its lock.
alter table published_events add column xid xid8 not null default '0';
alter table published_events alter column xid set default pg_current_xact_id();
create index published_events_feed on published_events (tenant_id, xid, id);

alter table outbox add column xid xid8 not null default '0';
alter table outbox alter column xid set default pg_current_xact_id();
create index outbox_feed on outbox (tenant_id, xid, id);
