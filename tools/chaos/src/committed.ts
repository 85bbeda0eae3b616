// What the databases say was committed: the orders and redirects of a stream, and the events that tell of them.
import pg from "pg";

export interface CommittedEvent {
  readonly eventId: string;
  readonly type: string;
  /** Of the order or the redirect. */
  readonly id: string;
  readonly occurredAt: Date;
}

// An order without its event would be a broken promise, so both are asked for.
const ORDERS = "select id::text from orders where created_at >= $1";

// Neither data nor metadata is read: this runs twice a second, and some of them are large.
const EVENTS = `
  select event_id::text as "eventId", type, aggregate_id::text as id, occurred_at as "occurredAt"
    from (select event_id, type, aggregate_id, occurred_at from outbox
          union all
          select event_id, type, aggregate_id, occurred_at from published_events) as event
   where type = any($1)`;

/** In: the owner's addresses, and since when. Out: what was committed since; and every event there is, older ones too. */
export async function readCommitted(databases: { orders: string; content: string }, since: Date) {
  const [orders, orderEvents, redirectEvents] = await Promise.all([
    query<{ id: string }>(databases.orders, ORDERS, [since]),
    query<CommittedEvent>(databases.orders, EVENTS, [["order.placed"]]),
    query<CommittedEvent>(databases.content, EVENTS, [["redirect.added", "redirect.removed"]]),
  ]);
  const all = [...orderEvents, ...redirectEvents];
  return { orders, events: all.filter(({ occurredAt }) => occurredAt >= since), everCommitted: all };
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
