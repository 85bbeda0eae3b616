// What `ops verify` calls accounted for, and what it names where something is not.
import { describe, expect, test } from "@jest/globals";
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals } from "@tradepost/webhooks/operate";
import { type Books, compareLedgers } from "../src/compare-ledgers.ts";

const TENANT = "0198a000-0000-7000-8000-000000000001";
const OTHER = "0198a000-0000-7000-8000-000000000002";
const NONE = Buffer.alloc(0);

const idOf = (number: number) => `0198b000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const idsOf = (...numbers: number[]) =>
  Buffer.concat(numbers.map((number) => Buffer.from(idOf(number).replaceAll("-", ""), "hex")));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const commitsOf = (published: Buffer, more: Partial<Commits> = {}): Commits => ({
  tenantId: TENANT,
  committed: published.length / 16 + (more.outbox ?? 0) + (more.justPublished?.length ?? 0) / 16,
  outbox: 0,
  parkedCount: 0,
  parked: [],
  published,
  justPublished: NONE,
  ...more,
});
const ledgerOf = (known: Buffer, more: Partial<DeliveryTotals> = {}): DeliveryTotals => ({
  tenantId: TENANT,
  known,
  matched: 0,
  delivered: 0,
  failed: 0,
  paused: 0,
  cancelled: 0,
  inFlight: 0,
  mismatchedCount: 0,
  mismatched: [],
  ...more,
});
const booksOf = (commits: Commits[], ledgers: DeliveryTotals[], more: Partial<Books> = {}): Books => ({
  producers: [{ isReplaying: false, tenants: commits }],
  queued: 0,
  webhooks: ledgers,
  stuck: [],
  ...more,
});

describe("the comparison of what was committed with what became of it", () => {
  test("finds nothing where there is nothing", () => {
    expect(compareLedgers(booksOf([], []))).toEqual({ tenants: [], faults: [] });
  });

  test("adds up a tenant's events of both producers, and what their deliveries came to", () => {
    const ledger = ledgerOf(idsOf(1, 2, 3), { matched: 5, delivered: 2, failed: 1, paused: 1, inFlight: 1 });
    const { tenants, faults } = compareLedgers({
      ...booksOf([], [ledger]),
      producers: [
        { isReplaying: false, tenants: [commitsOf(idsOf(1, 3), { outbox: 2 })] },
        { isReplaying: false, tenants: [commitsOf(idsOf(2))] },
      ],
    });
    expect(faults).toEqual([]);
    expect(tenants).toEqual([
      {
        tenantId: TENANT,
        committed: 5,
        outbox: 2,
        unconsumed: 0,
        matched: 5,
        delivered: 2,
        failed: 1,
        paused: 1,
        cancelled: 0,
        inFlight: 1,
        unaccounted: 0,
      },
    ]);
  });

  test.each([
    ["the first", [1], [2, 3, 4]],
    ["the last", [4], [1, 2, 3]],
    ["one in the middle", [2], [1, 3, 4]],
    ["all", [1, 2, 3, 4], []],
  ])("names %s of the published events, where the webhooks service does not know them", (_, lost, known) => {
    const { tenants, faults } = compareLedgers(
      booksOf([commitsOf(idsOf(1, 2, 3, 4))], [ledgerOf(idsOf(...known))]),
    );
    expect(faults).toEqual([
      { kind: "event_lost", tenantId: TENANT, count: lost.length, ids: lost.map(idOf) },
    ]);
    expect(tenants).toMatchObject([{ unconsumed: lost.length, unaccounted: lost.length }]);
  });

  test("names a tenant's lost events although the webhooks service knows nothing of the tenant, or other tenants' events only", () => {
    const commits = [commitsOf(idsOf(1))];
    const lost = [{ kind: "event_lost", tenantId: TENANT, count: 1, ids: [idOf(1)] }];
    expect(compareLedgers(booksOf(commits, [])).faults).toEqual(lost);
    const others = [ledgerOf(idsOf(1), { tenantId: OTHER })];
    expect(compareLedgers(booksOf(commits, others)).faults).toEqual(lost);
  });

  test.each<[string, Commits, Partial<Books>]>([
    ["is in the queue still", commitsOf(idsOf(1, 2)), { queued: 1 }],
    ["was published a moment ago", commitsOf(idsOf(1), { justPublished: idsOf(2) }), {}],
  ])("calls nothing lost that %s", (_, commits, more) => {
    const { tenants, faults } = compareLedgers(booksOf([commits], [ledgerOf(idsOf(1))], more));
    expect(faults).toEqual([]);
    expect(tenants).toMatchObject([{ committed: 2, unconsumed: 1, unaccounted: 0 }]);
  });

  test("calls nothing lost that a replay will publish again, but what another producer has lost", () => {
    const { tenants, faults } = compareLedgers({
      ...booksOf([], []),
      producers: [
        { isReplaying: true, tenants: [commitsOf(idsOf(1))] },
        { isReplaying: false, tenants: [commitsOf(idsOf(2))] },
      ],
    });
    expect(faults).toEqual([{ kind: "event_lost", tenantId: TENANT, count: 1, ids: [idOf(2)] }]);
    expect(tenants).toMatchObject([{ unconsumed: 2, unaccounted: 1 }]);
  });

  test("counts all that is lost and names the first twenty", () => {
    const { faults } = compareLedgers(booksOf([commitsOf(idsOf(...range(1, 300)))], []));
    expect(faults).toEqual([
      { kind: "event_lost", tenantId: TENANT, count: 300, ids: range(1, 20).map(idOf) },
    ]);
  });

  test("does not mind events that no producer has told of: examples, and those from before", () => {
    const { faults } = compareLedgers(booksOf([commitsOf(idsOf(5))], [ledgerOf(idsOf(1, 5, 9))]));
    expect(faults).toEqual([]);
  });

  test("names parked events, uneven ones, and whatever is stuck", () => {
    const stuck = { kind: "delivery_overdue", tenantId: OTHER, count: 1, ids: [idOf(7)] } as const;
    const parked = commitsOf(NONE, { outbox: 1, parkedCount: 1, parked: [idOf(1)] });
    const uneven = ledgerOf(NONE, { matched: 2, delivered: 1, mismatchedCount: 1, mismatched: [idOf(2)] });
    const { tenants, faults } = compareLedgers(booksOf([parked], [uneven], { stuck: [stuck] }));
    expect(faults).toEqual([
      { kind: "event_parked", tenantId: TENANT, count: 1, ids: [idOf(1)] },
      { kind: "deliveries_differ", tenantId: TENANT, count: 1, ids: [idOf(2)] },
      stuck,
    ]);
    expect(tenants).toMatchObject([{ unaccounted: 2 }]);
  });
});
