-- The events of customers are in a change feed of their own. Each feed reads published events by an index that has only its own:
-- a shop may import many customers between two orders. Creating the indexes locks the published events for about 2 seconds per
-- million; events wait in the outbox meanwhile. The previous release continues to work, with the index of all events
-- (published_events_feed); its feed of orders lists customers too. A release that need not work next to it can drop that index.
-- works with: 0.2.0

create index published_events_of_customers on published_events (tenant_id, xid, id)
  where type like 'customer.%';
create index published_events_of_orders on published_events (tenant_id, xid, id)
  where type not like 'customer.%';
