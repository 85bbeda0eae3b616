// Reads the orders and events that the databases have committed.
import pg from "pg";

export interface CommittedEvent {
  readonly eventId: string;
  readonly type: string;
  /** The order's or the redirect's id. */
  readonly aggregateId: string;
  readonly occurredAt: Date;
}

// Every order must have an event, so both are read.
const ORDERS = "select id::text from orders where created_at >= $1";

// This query runs twice a second, and some events are large, so it leaves out their data.
const EVENTS = `
  select event_id::text as "eventId", type, aggregate_id::text as "aggregateId", occurred_at as "occurredAt"
    from (select event_id, type, aggregate_id, occurred_at from outbox
          union all
          select event_id, type, aggregate_id, occurred_at from published_events) as event
   where type = any($1)`;

/** Resolves to the orders and events committed since `since`, and to all events in the databases. */
export async function readCommittedData(databases: { orders: string; content: string }, since: Date) {
  const [committedOrders, orderEvents, redirectEvents] = await Promise.all([
    query<{ id: string }>(databases.orders, ORDERS, [since]),
    query<CommittedEvent>(databases.orders, EVENTS, [["order.placed"]]),
    query<CommittedEvent>(databases.content, EVENTS, [["redirect.added", "redirect.removed"]]),
  ]);
  const allCommittedEvents = [...orderEvents, ...redirectEvents];
  const committedEvents = allCommittedEvents.filter(({ occurredAt }) => occurredAt >= since);
  return { committedOrders, committedEvents, allCommittedEvents };
}

async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
