// The costs of one unit of work, as `npm run bench` measured them on two shared cores (docs/performance.md), and assumed costs of
// others.

/** The programs that use processor time. Each service's database is a Postgres of its own. */
export const PROGRAMS = [
  "gateway",
  "orders",
  "content",
  "webhooks",
  "postgres of gateway",
  "postgres of orders",
  "postgres of content",
  "postgres of webhooks",
  "rabbitmq",
] as const;

export type ProgramName = (typeof PROGRAMS)[number];

/** A kind of work that occurs at some rate per second. */
export type Unit = "order" | "contentChange" | "webhook" | "read";

export interface UnitCost {
  /** CPU-ms by program. */
  readonly cpu: Readonly<Partial<Record<ProgramName, number>>>;
  /** The bytes of write-ahead log, which standbys receive too, by database. */
  readonly wal: Readonly<Partial<Record<ProgramName, number>>>;
  /** The bytes that a database stores, including indexes. */
  readonly stored: Readonly<Partial<Record<ProgramName, number>>>;
  /** The number of days for which a database keeps them; null means forever. */
  readonly keptDays: number | null;
  readonly source: string;
}

export const UNIT_COSTS: Readonly<Record<Unit, UnitCost>> = {
  order: {
    cpu: {
      gateway: 0.21,
      orders: 0.32,
      "postgres of orders": 0.37,
      "postgres of gateway": 0.02,
      rabbitmq: 0.03,
    },
    wal: { "postgres of orders": 7_900 },
    stored: { "postgres of orders": 1_900 },
    keptDays: null,
    source: "bench orders (an order of 3 lines through the gateway), bench volume",
  },
  contentChange: {
    cpu: {
      gateway: 0.3,
      content: 1.0,
      "postgres of content": 0.4,
      "postgres of gateway": 0.02,
      rabbitmq: 0.03,
    },
    wal: { "postgres of content": 3_000 },
    stored: { "postgres of content": 1_500 },
    keptDays: null,
    source: "docs/decisions/0020 (a redirect at full load); its bytes are assumed",
  },
  webhook: {
    cpu: { webhooks: 0.39, "postgres of webhooks": 0.2, rabbitmq: 0.19 },
    wal: { "postgres of webhooks": 2_900 },
    stored: { "postgres of webhooks": 1_900 },
    keptDays: 30,
    source: "bench delivery (an event with one webhook), bench volume",
  },
  read: {
    cpu: { gateway: 0.2, orders: 0.2, "postgres of orders": 0.27, "postgres of gateway": 0.02 },
    wal: {},
    stored: {},
    keptDays: 0,
    source:
      "docs/decisions/0020 (an order or a page of them, in Postgres); gateway and orders as for an order without its body",
  },
};

/** The most connections of a process to its database, and its memory under load in gigabytes. */
export const OF_A_PROCESS = {
  connections: { gateway: 20, orders: 17, content: 18, webhooks: 24 },
  gigabytes: 0.25,
} as const;

/** The CPU-ms per second of an idle process, measured by the bench `idle`. */
export const IDLE_CPU: Readonly<Partial<Record<ProgramName, number>>> = {
  gateway: 2,
  orders: 3,
  content: 5,
  webhooks: 8,
};
