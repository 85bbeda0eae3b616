import { type Facts, type Run, stepsOf, withFacts } from "./runs.ts";

const T = Date.parse("2026-11-28T10:00:00.000Z");
const iso = (ms: number) => new Date(T + ms).toISOString();
const call = { title: "POST /v1/redirects", body: {}, sentAt: T, respondedAt: T + 12 };

/** A webhook whose platform's clock is ahead by `ahead`. */
function arrived(ahead = 0): Facts {
  const settled = { createdAt: iso(15 + ahead), completedAt: iso(40 + ahead) };
  return {
    webhook: {
      deliveryId: "d",
      headers: { "X-service-Event-Time": iso(5 + ahead) },
      body: JSON.stringify({ delivered_at: iso(20 + ahead) }),
      arrivedAt: T + 30,
      fault: null,
    },
    settled: settled as Facts["settled"] & object,
  };
}

const shown = (run: Run) => stepsOf(run).steps.map(({ name, ms }) => `${name} ${ms}`);

test("the steps of a webhook are counted from the request", () => {
  expect(stepsOf({ id: "r", call }).steps.map(({ name }) => name)).toEqual(["Request", "Response"]);
  expect(shown({ id: "r", call, ...arrived() })).toEqual([
    "Request 0",
    "Committed 5",
    "Response 12",
    "Published, fanned out 15",
    "Signed, sent 20",
    "Arrived 30",
    "Acknowledged 40",
  ]);
});

test("a platform whose clock differs is corrected by the commit, which lies before the response", () => {
  const run = { id: "r", call, ...arrived(5_000) };
  expect(stepsOf(run).clockMs).toBe(-4_999);
  expect(shown(run)).toContain("Published, fanned out 16");
});

test("without its request, a webhook is counted from the commit, by the clock of the platform only", () => {
  expect(shown({ id: "r", ...arrived(5_000) })).toEqual([
    "Committed 0",
    "Published, fanned out 10",
    "Signed, sent 15",
    "Acknowledged 35",
  ]);
});

test("an order ends in the feed", () => {
  const event = { occurredAt: iso(4) } as NonNullable<Facts["seen"]>["event"];
  expect(shown({ id: "o", call, seen: { event, seenAt: T + 9 } })).toEqual([
    "Request 0",
    "Committed 4",
    "In the feed 9",
    "Response 12",
  ]);
});

test("facts about a resource become one run, whichever comes first; the newest ten runs are kept", () => {
  const runs = withFacts(withFacts([], "r", arrived()), "r", { call });
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ id: "r", call, webhook: { deliveryId: "d" } });
  const many = Array.from({ length: 12 }, (_, number) => `${number}`);
  const ids = many.reduce<readonly Run[]>((all, id) => withFacts(all, id, {}), []).map(({ id }) => id);
  expect(ids).toEqual(many.toReversed().slice(0, 10));
});
