// `ops verify` reports each kind of fault of databases that were restored separately.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type ComparedDatabases, compareDatabases } from "../src/compare-databases.ts";
import { at, commitsOf, idOf, idsOf, OTHER, TENANT, totalsOf } from "./support/accounted.ts";

const knownOf = (...minutes: number[]) => totalsOf(idsOf(...minutes));
const state = (service: string, ...restores: { at: Date; restoredTo: Date | null }[]) => ({
  ...{ service, hasMoved: false },
  restores,
});

const SOUND: ComparedDatabases = {
  webhooks: [],
  producers: [],
  services: [state("orders"), state("content"), state("webhooks"), state("gateway")],
  subscriptions: [],
  fates: [],
  tenantIds: [TENANT, OTHER],
  tenantIdsInUse: [TENANT],
  undeleted: [],
  returned: [],
};
const compare = (changes: Partial<ComparedDatabases>) => compareDatabases({ ...SOUND, ...changes });

describe("events that the webhooks service has", () => {
  test("are all known to one of the producers, published or not", () => {
    const producers = [
      { tenants: [commitsOf({ published: idsOf(1) })] },
      { tenants: [commitsOf({ justPublished: idsOf(2), unpublished: idsOf(3) })] },
    ];
    expect(compare({ webhooks: [knownOf(1, 2, 3)], producers }).faults).toEqual([]);
    const foreign = [{ tenants: [commitsOf({ published: idsOf(1), tenantId: OTHER })] }];
    expect(compare({ webhooks: [knownOf(1)], producers: foreign }).faults).toEqual([
      { kind: "event_unknown", tenantId: TENANT, count: 1, ids: [idOf(1)] },
    ]);
  });

  test("are named with the restore that has lost them", () => {
    const services = [state("content", { at: at(30), restoredTo: at(10) })];
    const { faults, restores } = compare({ services, webhooks: [knownOf(5, 11, 29, 40)] });
    expect(faults).toEqual([{ kind: "event_unknown", tenantId: TENANT, count: 2, ids: [idOf(5), idOf(40)] }]);
    expect(restores).toEqual([{ service: "content", at: at(30), restoredTo: at(10), lostEvents: 2 }]);
  });
});

describe("subscriptions", () => {
  const one = { tenantId: TENANT, subscriptionId: "one" };
  const created = { ...one, action: "webhook_subscription.created", at: at(20) };
  const deleted = { ...one, action: "webhook_subscription.deleted", at: at(20) };

  test("exist from their creation to their deletion", () => {
    expect(compare({ subscriptions: [one], fates: [created] }).faults).toEqual([]);
    expect(compare({ fates: [deleted] }).faults).toEqual([]);
    expect(compare({ fates: [created] }).faults).toMatchObject([
      { kind: "subscription_missing", ids: ["one"] },
    ]);
    expect(compare({ subscriptions: [one], fates: [deleted] }).faults).toMatchObject([
      { kind: "subscription_undeleted", ids: ["one"] },
    ]);
    // Created before the audit log, or while entries are on their way.
    expect(compare({ subscriptions: [one] }).faults).toEqual([]);
    expect(compare({ subscriptions: [one], fates: null }).faults).toEqual([]);
  });

  test("may be missing from the time that a restore has lost, but not come back", () => {
    const services = [state("webhooks", { at: at(30), restoredTo: at(10) })];
    expect(compare({ services, fates: [created] }).faults).toEqual([]);
    expect(compare({ services, subscriptions: [one], fates: [deleted] }).faults).toHaveLength(1);
    expect(compare({ services, fates: [{ ...created, at: at(40) }] }).faults).toHaveLength(1);
  });
});

const moved = { ...state("orders", { at: at(1), restoredTo: null }), hasMoved: true };

// biome-ignore format: a table is read by its columns.
test.each<[string, Partial<ComparedDatabases>, kind: string, tenantId: string | null, id: string]>([
  ["a database that has moved, and no restore was recorded since", { services: [moved, state("content")] }, "restore_unrecorded", null, "orders"],
  ["a tenant that the gateway does not know, except the canary's", { tenantIds: [OTHER], tenantIdsInUse: [TENANT, CANARY_TENANT_ID] }, "tenant_missing", TENANT, TENANT],
  ["a deleted tenant that a service has again, once, with the service", { tenantIds: [OTHER], undeleted: [{ tenantId: TENANT, services: ["orders"] }] }, "tenant_undeleted", TENANT, "orders"],
  ["a customer who was erased and has come back", { returned: [{ tenantId: TENANT, customerId: "one" }] }, "erased_returned", TENANT, "one"],
])("names %s", (_, changes, kind, tenantId, id) => {
  expect(compare(changes).faults).toEqual([{ kind, tenantId, count: 1, ids: [id] }]);
});
