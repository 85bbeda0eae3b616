import { needsOf } from "../src/status/needs.ts";
import type { Broker, Database, Deliveries, Process, Status } from "../src/status/read-status.ts";

const since = new Date("2026-11-28T00:00:00Z");
const process: Process = {
  ...{ service: "orders", url: "http://orders:8080", version: "1.0.0", since },
  ...{ isReady: true, missing: [] },
};
const database: Database = {
  ...{ service: "orders", version: "17.2", connections: 10, connectionsMax: 100, bytes: 1_000, standbys: [] },
  ...{ waitsForStandby: false, hasSyncStandby: false, outbox: { pending: 3, parked: 0, oldestSeconds: 1 } },
};
const broker: Broker = { version: "4.2", alarms: [], queues: 20, messages: 5, poison: 0 };
const deliveries: Deliveries = { oldestWaitingSeconds: 2, dead: 0, endpointsDown: 0, notices: {} };
const quiet: Status = {
  processes: [process],
  databases: { gateway: database, orders: database, content: database, webhooks: database },
  broker,
  deliveries,
  tenantsNearQuota: 0,
  certificates: [{ name: "POSTGRES_CA_FILE", ageDays: 10, daysLeft: 300 }],
  secrets: [],
};
const ofOrders = (changes: Partial<Process>): Partial<Status> => ({
  processes: [{ ...process, ...changes }],
});
const ofDatabase = (changes: Partial<Database>): Partial<Status> => ({
  databases: { ...quiet.databases, orders: { ...database, ...changes } },
});
const ofBroker = (changes: Partial<Broker>): Partial<Status> => ({ broker: { ...broker, ...changes } });
const ofDeliveries = (changes: Partial<Deliveries>): Partial<Status> => ({
  deliveries: { ...deliveries, ...changes },
});

test("a platform at work needs nobody", () => {
  expect(needsOf(quiet)).toEqual([]);
});

const AT = "orders at http://orders:8080";

test.each<[string, Partial<Status>, string]>([
  [`${AT} does not respond`, ofOrders({ isReady: false, missing: ["does not respond"] }), "service-missing"],
  [`${AT} is ready without: broker`, ofOrders({ missing: ["broker"] }), "broker-disconnected"],
  [
    `${AT} is not ready: database`,
    ofOrders({ isReady: false, missing: ["database"] }),
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
  ["the database of orders has 80 of 100 connections", ofDatabase({ connections: 80 }), "pool-exhausted"],
  [
    "commits of orders wait for a standby, and none is connected",
    ofDatabase({ waitsForStandby: true }),
    "database-unavailable",
  ],
  [
    "the oldest of 3 events of orders waits for 61 s to be published",
    ofDatabase({ outbox: { pending: 3, parked: 0, oldestSeconds: 61 } }),
    "outbox-old",
  ],
  [
    "1 events of orders are parked",
    ofDatabase({ outbox: { pending: 0, parked: 1, oldestSeconds: 0 } }),
    "ops -- outbox",
  ],
  ["the broker cannot be reached", { broker: null }, "broker-disconnected"],
  [
    "the broker's rabbit@a has too little disk",
    ofBroker({ alarms: ["rabbit@a has too little disk"] }),
    "broker-blocked",
  ],
  ["2 messages could not be read", ofBroker({ messages: 2, poison: 2 }), "ops -- poison list"],
  [
    "a delivery has waited for 301 s to be sent",
    ofDeliveries({ oldestWaitingSeconds: 301 }),
    "deliveries-late",
  ],
  ["4 deliveries failed for good", ofDeliveries({ dead: 4 }), "ops -- dead list"],
  ["5 endpoints are down", ofDeliveries({ endpointsDown: 5 }), "endpoints-failing"],
  [
    "6 notices are open",
    ofDeliveries({ notices: { endpoint_gone: 6, quota_near: 1 } }),
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
