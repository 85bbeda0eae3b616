import { expect, test } from "@jest/globals";
import { needsOf } from "../src/status/needs.ts";
import type { Database, Process, Status } from "../src/status/read-status.ts";

const since = new Date("2026-11-28T00:00:00Z");
const process: Process = {
  ...{ service: "orders", url: "http://orders:8080", version: "1.0.0", since },
  ...{ isReady: true, missing: [] },
};
const database: Database = {
  ...{ service: "orders", version: "17.2", connections: 10, connectionsMax: 100, bytes: 1_000, standbys: [] },
  ...{ waitsForStandby: false, hasSyncStandby: false, outbox: { pending: 3, parked: 0, oldestSeconds: 1 } },
};
const quiet: Status = {
  processes: [process],
  databases: { gateway: database, orders: database, content: database, webhooks: database },
  broker: { version: "4.2", alarms: [], queues: 20, messages: 5, poison: 0 },
  deliveries: { oldestWaitingSeconds: 2, dead: 0, endpointsDown: 0, notices: {} },
  tenantsNearQuota: 0,
  certificates: [{ name: "POSTGRES_CA_FILE", ageDays: 10, daysLeft: 300 }],
  secrets: [],
};
const withOrders = (changes: Partial<Database>): Partial<Status> => ({
  databases: { ...quiet.databases, orders: { ...database, ...changes } },
});

test("a platform at work needs nobody", () => {
  expect(needsOf(quiet)).toEqual([]);
});

test.each<[string, Partial<Status>, string]>([
  [
    "orders at http://orders:8080 does not respond",
    { processes: [{ ...process, isReady: false, missing: ["does not respond"] }] },
    "service-missing",
  ],
  [
    "orders at http://orders:8080 is ready without: broker",
    { processes: [{ ...process, missing: ["broker"] }] },
    "broker-disconnected",
  ],
  [
    "orders at http://orders:8080 is not ready: database",
    { processes: [{ ...process, isReady: false, missing: ["database"] }] },
    "database-unavailable",
  ],
  [
    "releases 1.0.0 and 1.1.0 run beside each other",
    { processes: [process, { ...process, version: "1.1.0" }] },
    "upgrade-and-rollback",
  ],
  [
    "the database of orders cannot be reached",
    { databases: { ...quiet.databases, orders: null } },
    "database-unavailable",
  ],
  ["the database of orders has 80 of 100 connections", withOrders({ connections: 80 }), "pool-exhausted"],
  [
    "commits of orders wait for a standby, and none is connected",
    withOrders({ waitsForStandby: true }),
    "database-unavailable",
  ],
  [
    "the oldest of 3 events of orders waits for 61 s to be published",
    withOrders({ outbox: { pending: 3, parked: 0, oldestSeconds: 61 } }),
    "outbox-old",
  ],
  [
    "1 events of orders are parked",
    withOrders({ outbox: { pending: 0, parked: 1, oldestSeconds: 0 } }),
    "ops -- outbox",
  ],
  ["the broker cannot be reached", { broker: null }, "broker-disconnected"],
  [
    "the broker's rabbit@a has too little disk",
    {
      broker: { version: "4.2", alarms: ["rabbit@a has too little disk"], queues: 1, messages: 0, poison: 0 },
    },
    "broker-blocked",
  ],
  [
    "2 messages could not be read",
    { broker: { version: "4.2", alarms: [], queues: 1, messages: 2, poison: 2 } },
    "ops -- poison list",
  ],
  [
    "a delivery has waited for 301 s to be sent",
    { deliveries: { oldestWaitingSeconds: 301, dead: 0, endpointsDown: 0, notices: {} } },
    "deliveries-late",
  ],
  [
    "4 deliveries failed for good",
    { deliveries: { oldestWaitingSeconds: 0, dead: 4, endpointsDown: 0, notices: {} } },
    "ops -- dead list",
  ],
  [
    "5 endpoints are down",
    { deliveries: { oldestWaitingSeconds: 0, dead: 0, endpointsDown: 5, notices: {} } },
    "endpoints-failing",
  ],
  [
    "6 notices are open",
    {
      deliveries: {
        oldestWaitingSeconds: 0,
        dead: 0,
        endpointsDown: 0,
        notices: { endpoint_gone: 6, quota_near: 1 },
      },
    },
    "notices list --open",
  ],
  ["7 tenants have nearly used up a quota", { tenantsNearQuota: 7 }, "--kind quota_near"],
  [
    "the certificate of AMQP_CA_FILE ends in 13 days",
    { certificates: [{ name: "AMQP_CA_FILE", ageDays: 300, daysLeft: 13 }] },
    "rotating-secrets",
  ],
])("%s", (what, changes, see) => {
  expect(needsOf({ ...quiet, ...changes })).toEqual([{ what, see: expect.stringContaining(see) }]);
});
