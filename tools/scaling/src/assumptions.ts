// The assumptions of the simulation, apart from the measured costs. An option can change each of them.

export interface Assumptions {
  /** The orders, changes of content and reads per second at scale 1, of all tenants together. */
  readonly orders: number;
  readonly contentChanges: number;
  readonly reads: number;
  /** The number of webhooks for each event. */
  readonly webhooks: number;
  /** The average number of attempts for a delivery. It is more than 1, because some endpoints fail. */
  readonly attempts: number;
  /** The response time of a receiver. */
  readonly receiverMs: number;
  /** The average load as a share of the peak. Storage is computed from it. */
  readonly averageShare: number;
  /**
   * The cost of a unit with several processes, relative to one process at full load. With several, each makes smaller batches.
   */
  readonly spread: number;
  /** The share of a core that may be used at the peak. The rest is for failures and bursts. */
  readonly busyShare: number;
  /** The cores of the largest machine for one Postgres. */
  readonly postgresCores: number;
  /** The megabytes of write-ahead log per second that a primary with a synchronous standby can write. */
  readonly walMegabytes: number;
  /** The gigabytes that a primary may store, so that it can be restored within hours. */
  readonly storedGigabytes: number;
  /** The messages per second that the leader of one quorum queue accepts. */
  readonly queueMessages: number;
  /** The events per second that the relay of one database publishes. */
  readonly relayEvents: number;
  /** The number of years for which orders are kept. */
  readonly years: number;
  /** Prices, in any currency, of a core for an hour and of a gigabyte for a month. */
  readonly corePerHour: number;
  readonly gigabytePerMonth: number;
}

export const ASSUMPTIONS: Assumptions = {
  orders: 5,
  contentChanges: 5,
  reads: 50,
  webhooks: 2,
  attempts: 1.1,
  receiverMs: 300,
  averageShare: 0.3,
  spread: 1.4,
  busyShare: 0.6,
  postgresCores: 64,
  walMegabytes: 200,
  storedGigabytes: 4_000,
  queueMessages: 20_000,
  relayEvents: 14_000,
  years: 2,
  corePerHour: 0.04,
  gigabytePerMonth: 0.1,
};

export const MEANING: Readonly<Record<keyof Assumptions, string>> = {
  orders: "orders per second at scale 1, at the peak",
  contentChanges: "changes of content per second at scale 1",
  reads: "reads per second at scale 1",
  webhooks: "webhooks for each order or change of content",
  attempts: "attempts for each webhook",
  receiverMs: "milliseconds until a receiver has responded",
  averageShare: "average load, as a share of the peak",
  spread: "CPU-ms of a unit with several processes, against one at full load (measured: bench replicas)",
  busyShare: "share of a core that is used at the peak",
  postgresCores: "cores of the largest Postgres",
  walMegabytes: "megabytes per second that one primary writes ahead",
  storedGigabytes: "gigabytes that one primary keeps",
  queueMessages: "messages per second that one quorum queue takes",
  relayEvents: "events per second that the relay of one database publishes (measured: bench relay)",
  years: "years for which orders and content are kept",
  corePerHour: "price of a core for an hour",
  gigabytePerMonth: "price of a gigabyte for a month",
};
