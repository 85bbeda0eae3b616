// The outbox table as every service that emits events declares it, and what tests put into it and find there.
// `outbox-table.test.ts` holds the text against the services' migrations.
import { randomUUID } from "node:crypto";
import pg from "pg";

export const OUTBOX_DDL = `create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  aggregate_id uuid not null,
  -- One relay at a time works on a shard; the events of one aggregate are always in the same one.
  shard smallint not null generated always as (get_byte(uuid_send(aggregate_id), 15) % 4) stored,
  type text not null,
  tenant_id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  request_id text not null,
  traceparent text not null,
  actor json not null,
  data json not null,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  parked_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index outbox_pending on outbox (shard, id) where parked_at is null;
create index outbox_held_back on outbox (aggregate_id, id) where attempts > 0 and parked_at is null;
`;

/** Where the relay keeps what it published, and notes that it is to be published again. */
export const PUBLISHED_DDL = `create table published_events (
  id bigint not null,
  event_id uuid not null,
  aggregate_id uuid not null,
  type text not null,
  tenant_id uuid not null,
  occurred_at timestamptz(3) not null,
  request_id text not null,
  traceparent text not null,
  actor json not null,
  data json not null,
  published_at timestamptz not null default now(),
  primary key (published_at, id)
) partition by range (published_at);
create table published_events_other partition of published_events default;

-- At most one row: events are to be published again, and how far that has come.
create table replay (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null,
  after_published_at timestamptz not null default '-infinity',
  after_id bigint not null default 0
);
`;

/** What a later migration adds to both: sizes, and the state of a replay that runs from the newest event down. */
export const SIZES_AND_REPLAY_DDL = `alter table outbox
  add column size_bytes integer not null generated always as (octet_length(data::text)) stored;

-- Null for what was published before this column existed.
alter table published_events add column size_bytes integer;

alter table replay
  -- The value of "until" with which this descent began; another one means that a replay was requested since.
  add column begun_until timestamptz,
  add column before_published_at timestamptz not null default 'infinity',
  add column before_id bigint not null default 0,
  -- How many events the next batch may have, and when it may start.
  add column batch_events integer not null default 1,
  add column not_before timestamptz not null default '-infinity';
`;

export const TENANT_ID = "0198a000-0000-7000-8000-000000000001";
export const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** An event to commit; `number` counts within its aggregate. */
interface TestEvent {
  readonly aggregateId: string;
  readonly number: number;
  readonly type?: string;
  readonly traceparent?: string;
  /** JSON text. */
  readonly data?: string;
}

export interface Outbox {
  readonly pool: pg.Pool;
  /** Commits the events in one transaction, in this order. Out: their ids. */
  commit(events: readonly TestEvent[]): Promise<string[]>;
  /** What is in the table still, oldest first. */
  rows(): Promise<
    { event_id: string; attempts: number; last_error: string | null; parked_at: Date | null }[]
  >;
  isEmpty(): Promise<boolean>;
  close(): Promise<void>;
}

const INSERT = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
  select event_id, aggregate_id, type, '${TENANT_ID}', 'request-1', traceparent,
         '{"type":"user","id":"u-1","name":"Ada"}', data
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[])
         with ordinality as event (event_id, aggregate_id, type, traceparent, data, position)
   order by position`;

/** In: an empty database. */
export async function createOutbox(databaseUrl: string): Promise<Outbox> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await pool.query(OUTBOX_DDL);
  await pool.query(PUBLISHED_DDL);
  await pool.query(SIZES_AND_REPLAY_DDL);
  const rows: Outbox["rows"] = async () =>
    (await pool.query("select event_id, attempts, last_error, parked_at from outbox order by id")).rows;
  return {
    pool,
    commit: async (events) => {
      const ids = events.map(() => randomUUID());
      await pool.query(INSERT, [
        ids,
        events.map(({ aggregateId }) => aggregateId),
        events.map(({ type }) => type ?? "order.placed"),
        events.map(({ traceparent }) => traceparent ?? TRACEPARENT),
        events.map(({ aggregateId, number, data }) => data ?? JSON.stringify({ aggregateId, number })),
      ]);
      return ids;
    },
    rows,
    isEmpty: async () => (await rows()).length === 0,
    close: () => pool.end(),
  };
}
