// Which events `ops verify` counts as accounted for, and which it reports.
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals } from "@tradepost/webhooks/operate";
import { type AccountingInput, accountForEvents } from "../src/account-for-events.ts";
import { commitsOf, idOf, idsOf, NONE, OTHER, TENANT, totalsOf } from "./support/accounted.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const inputOf = (tenants: Commits[], webhooks: DeliveryTotals[], more: Partial<AccountingInput> = {}) => ({
  producers: [{ isReplaying: false, tenants }],
  queued: 0,
  webhooks,
  stuck: [],
  ...more,
});
const lostOf = (count: number, ids: readonly number[]) => [
  { kind: "event_lost", tenantId: TENANT, count, ids: ids.map(idOf) },
];

describe("accountForEvents", () => {
  test("finds no fault in empty input", () => {
    expect(accountForEvents(inputOf([], []))).toEqual({ tenants: [], faults: [] });
  });

  test("adds up a tenant's events from both producers and the states of their deliveries", () => {
    const totals = totalsOf(idsOf(1, 2, 3), { matched: 5, delivered: 2, failed: 1, paused: 1, inFlight: 1 });
    const { tenants, faults } = accountForEvents({
      ...inputOf([], [totals]),
      producers: [
        { isReplaying: false, tenants: [commitsOf({ published: idsOf(1, 3), outbox: 2 })] },
        { isReplaying: false, tenants: [commitsOf({ published: idsOf(2) })] },
      ],
    });
    expect(faults).toEqual([]);
    const deliveries = { matched: 5, delivered: 2, failed: 1, paused: 1, cancelled: 0, inFlight: 1 };
    const events = { committed: 5, outbox: 2, unconsumed: 0, unaccounted: 0 };
    expect(tenants).toEqual([{ tenantId: TENANT, ...events, ...deliveries }]);
  });

  test.each([
    ["the first", [1], [2, 3, 4]],
    ["the last", [4], [1, 2, 3]],
    ["one in the middle", [2], [1, 3, 4]],
    ["all", [1, 2, 3, 4], []],
  ])(
    "reports %s of the published events as lost if the webhooks service does not know them",
    (_, lost, known) => {
      const input = inputOf([commitsOf({ published: idsOf(1, 2, 3, 4) })], [totalsOf(idsOf(...known))]);
      const { tenants, faults } = accountForEvents(input);
      expect(faults).toEqual(lostOf(lost.length, lost));
      expect(tenants).toMatchObject([{ unconsumed: lost.length, unaccounted: lost.length }]);
    },
  );

  test("reports lost events of a tenant that the webhooks service has never seen", () => {
    const commits = [commitsOf({ published: idsOf(1) })];
    const others = [totalsOf(idsOf(1), { tenantId: OTHER })];
    for (const totals of [[], others])
      expect(accountForEvents(inputOf(commits, totals)).faults).toEqual(lostOf(1, [1]));
  });

  test.each<[string, Commits, Partial<AccountingInput>]>([
    ["is still in the queue", commitsOf({ published: idsOf(1, 2) }), { queued: 1 }],
    ["was published a moment ago", commitsOf({ published: idsOf(1), justPublished: idsOf(2) }), {}],
  ])("does not report an event as lost that %s", (_, commits, more) => {
    const { tenants, faults } = accountForEvents(inputOf([commits], [totalsOf(idsOf(1))], more));
    expect(faults).toEqual([]);
    expect(tenants).toMatchObject([{ committed: 2, unconsumed: 1, unaccounted: 0 }]);
  });

  test("reports no event as lost that a running replay will publish again", () => {
    const { tenants, faults } = accountForEvents({
      ...inputOf([], []),
      producers: [
        { isReplaying: true, tenants: [commitsOf({ published: idsOf(1) })] },
        { isReplaying: false, tenants: [commitsOf({ published: idsOf(2) })] },
      ],
    });
    expect(faults).toEqual(lostOf(1, [2]));
    expect(tenants).toMatchObject([{ unconsumed: 2, unaccounted: 1 }]);
  });

  test("counts all lost events and lists the first twenty", () => {
    const { faults } = accountForEvents(inputOf([commitsOf({ published: idsOf(...range(1, 300)) })], []));
    expect(faults).toEqual(lostOf(300, range(1, 20)));
  });

  test("ignores events without a producer: examples, and events older than the range", () => {
    const { faults } = accountForEvents(
      inputOf([commitsOf({ published: idsOf(5) })], [totalsOf(idsOf(1, 5, 9))]),
    );
    expect(faults).toEqual([]);
  });

  test("reports parked events, mismatched events and stuck deliveries", () => {
    const stuck = { kind: "delivery_overdue", tenantId: OTHER, count: 1, ids: [idOf(7)] } as const;
    const parked = commitsOf({ outbox: 1, parkedCount: 1, parked: [idOf(1)] });
    const ofTwo = { matched: 2, delivered: 1, mismatchedCount: 1, mismatched: [idOf(2)] };
    const mismatched = totalsOf(NONE, ofTwo);
    const { tenants, faults } = accountForEvents(inputOf([parked], [mismatched], { stuck: [stuck] }));
    expect(faults).toEqual([
      { kind: "event_parked", tenantId: TENANT, count: 1, ids: [idOf(1)] },
      { kind: "deliveries_differ", tenantId: TENANT, count: 1, ids: [idOf(2)] },
      stuck,
    ]);
    expect(tenants).toMatchObject([{ unaccounted: 2 }]);
  });
});
