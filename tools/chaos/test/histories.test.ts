// Chaos finds faults in the histories of redirects, entries and deliveries, and of the readers of a feed.
import {
  type EntryRequest,
  entryModel,
  NO_ENTRY,
  respond,
  type ShownEntry,
} from "../src/history/entry-model.ts";
import { entryWorkload } from "../src/history/entry-workload.ts";
import { feedFaults } from "../src/history/feed-reader.ts";
import { type LeaseRequest, leaseModel } from "../src/history/lease-clients.ts";
import { linearize, type Operation } from "../src/history/linearize.ts";
import {
  type RedirectRequest,
  type RedirectResponse,
  redirectModel,
} from "../src/history/redirect-workload.ts";

/** Operations one after the other. */
function inTurn<Request, Response>(
  steps: readonly (Pick<Operation<Request, Response>, "request" | "response"> & { earlierTryAt?: number })[],
): Operation<Request, Response>[] {
  return steps.map((step, index) => ({
    ...step,
    startedAt: 2 * index,
    endedAt: step.response === null ? Number.POSITIVE_INFINITY : 2 * index + 1,
  }));
}

describe("the history of a redirect", () => {
  const step = (request: RedirectRequest, response: RedirectResponse | null) => ({ request, response });
  const verdictOf = (steps: readonly ReturnType<typeof step>[]) => linearize(redirectModel, inTurn(steps));
  const outcomeOf = (steps: readonly ReturnType<typeof step>[]) => verdictOf(steps).outcome;
  const created = (to: string) => step({ name: "create", to }, { status: 201, to: [to] });
  const deleted = (to: string) => step({ name: "delete", to }, { status: 200, to: [] });
  const exists = (to: string) => step({ name: "create", to }, { status: 409, code: "redirect_exists" });
  const resolved = (to: string) => step({ name: "resolve" }, { status: 200, to: [to] });
  const listed = (...to: string[]) => step({ name: "list" }, { status: 200, to });
  const unanswered = (request: RedirectRequest) => step(request, null);

  test.each([
    ["one after the other", [created("a"), resolved("a"), exists("b"), deleted("a"), listed(), created("b")]],
    ["a creation that took effect later", [unanswered({ name: "create", to: "a" }), listed(), resolved("a")]],
    ["a creation without effect", [unanswered({ name: "create", to: "a" }), created("b"), listed("b")]],
    ["a deletion that took effect", [created("a"), unanswered({ name: "delete", to: "a" }), created("b")]],
  ])("is linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("linearizable");
  });

  test.each([
    ["two of one path", [created("a"), created("b")]],
    ["a list of two", [created("a"), listed("a", "b")]],
    ["one that is back", [created("a"), deleted("a"), resolved("a")]],
    ["one that is deleted twice", [created("a"), deleted("a"), deleted("a")]],
    ["one that is gone", [created("a"), listed()]],
  ])("is not linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("not linearizable");
  });

  const repeated = (one: ReturnType<typeof step>) => ({ ...one, earlierTryAt: 0 });

  test.each([
    [
      "the first try of a creation takes effect after its refusal",
      [created("a"), repeated(exists("b")), deleted("a"), resolved("b")],
      [created("a"), exists("b"), deleted("a"), resolved("b")],
    ],
    [
      "the first try of a creation never takes effect",
      [created("a"), repeated(exists("b")), deleted("a"), listed()],
      [created("a"), repeated(exists("b")), deleted("a"), resolved("b"), listed()],
    ],
    [
      "a creation is refused by another one, and not by its first try",
      [unanswered({ name: "create", to: "a" }), repeated(exists("b")), resolved("a")],
      [repeated(exists("b")), resolved("b")],
    ],
  ])("is linearizable: %s", (_, steps, others) => {
    expect([outcomeOf(steps), outcomeOf(others)]).toEqual(["linearizable", "not linearizable"]);
  });

  test("has the order that explains it, or the longest that was found", () => {
    const explained = [created("a"), repeated(exists("b")), deleted("a"), resolved("b")];
    expect(verdictOf(explained).order).toEqual([0, 1, 2, 1, 3]);
    expect(verdictOf([created("a"), resolved("a"), listed(), deleted("a")]).order).toEqual([0, 1]);
    // The search goes back from the creation, whose end comes first.
    const none = { ...listed(), startedAt: 0, endedAt: 5 };
    const one = { ...created("a"), startedAt: 0, endedAt: 3 };
    expect(linearize(redirectModel, [none, one]).order).toEqual([0, 1]);
    // The deletion could come later.
    const steps = [created("a"), unanswered({ name: "delete", to: "a" }), resolved("a"), listed()];
    expect(verdictOf(steps).order).toEqual([0, 2, 1, 3]);
  });
});

describe("the history of an entry", () => {
  /** With the responses of a server without faults. */
  function historyOf(requests: readonly EntryRequest[]) {
    let state = NO_ENTRY;
    const steps = requests.map((request) => {
      const { after, responds } = respond(state, request, "e");
      state = after;
      return { request, response: responds };
    });
    return inTurn(steps);
  }
  const [of, ifMatch] = ["e", 1];
  const patch = (title: string, more = {}): EntryRequest => ({ name: "patch", of, title, ...more });
  const requests: readonly EntryRequest[] = [
    { name: "create", title: "A" } as const,
    patch("B", { ifMatch }),
    { name: "publish", of } as const,
    patch("C"),
    { name: "live", of } as const,
    { name: "unpublish", of } as const,
    patch("D", { ifMatch }),
    ...([{ name: "read", of }, { name: "delete", of }, { name: "read", of }, { name: "list" }] as const),
  ];
  const history = historyOf(requests);
  const outcomeOf = (operations: typeof history) => linearize(entryModel, operations).outcome;
  const shown = (at: number, change: Partial<ShownEntry>) =>
    history.map((one, index) => {
      if (index !== at || one.response === null || !("entries" in one.response)) return one;
      const entries = one.response.entries.map((entry) => ({ ...entry, ...change }));
      return { ...one, response: { ...one.response, entries } };
    });
  const answeredAs = (at: number, from: number) =>
    history.map((one, index) => (index === at ? { ...one, response: (history[from] ?? one).response } : one));

  test("is linearizable: a draft, its versions, what is live, and its end", () => {
    expect(outcomeOf(history)).toBe("linearizable");
    const unanswered = { response: null, endedAt: Number.POSITIVE_INFINITY };
    const operations = history.map((one, index) => (index === 2 ? { ...one, ...unanswered } : one));
    expect(linearize(entryModel, operations).outcome).toBe("linearizable");
  });

  test.each([
    ["a change that was acknowledged is lost", history.toSpliced(3, 1)],
    ["a change takes effect twice", history.toSpliced(2, 0, ...history.slice(1, 2))],
    ["the draft is live", shown(4, { title: "C" })],
    ["a response shows another title", shown(7, { title: "D" })],
    ["two changes make one version", shown(3, { version: 3 })],
    ["an entry is back after its deletion", answeredAs(9, 7)],
    ["If-Match is ignored", answeredAs(6, 3)],
  ])("is not linearizable: %s", (_, operations) => {
    expect(outcomeOf(operations)).toBe("not linearizable");
  });

  test("clients forget an entry that is deleted", () => {
    const known = entryWorkload.create();
    const responseOf = (data: unknown) =>
      entryWorkload.responseOf(known, { status: 200, hasRetryAfter: false, body: { data } });
    responseOf([{ id: "e", version: 3, data: { title: "Summer" } }]);
    expect(known.latest).toMatchObject({ id: "e", version: 3 });
    responseOf({ id: "e", deleted: true });
    expect(known.latest).toBeNull();
  });
});

describe("the history of a delivery that clients lease", () => {
  const leased = (attempt: number, from: number, leaseId = `attempt ${attempt}`) =>
    ({ request: { name: "lease", attempt, leaseId, from, until: from + 100 }, response: 200 }) as const;
  const reported = (
    attempt: number,
    statusCode: number,
    response: number | null = 200,
    leaseId = `attempt ${attempt}`,
  ) => ({ request: { name: "result", attempt, leaseId, statusCode }, response }) as const;

  test.each([
    ["leased again after a failure", [leased(1, 5), reported(1, 500), leased(2, 10), reported(2, 200)]],
    ["leased again after the lease has run out", [leased(1, 5), leased(1, 105), reported(1, 200)]],
    ["reported twice", [leased(1, 5), reported(1, 500), reported(1, 500), reported(1, 200, 409)]],
    ["reported late by the client that holds it", [leased(1, 5), reported(1, 500), leased(2, 206)]],
    [
      "reported late by another",
      [leased(1, 5, "lost"), leased(1, 105), reported(1, 500, 409, "lost"), reported(1, 200)],
    ],
    ["reported without a response", [leased(1, 5), reported(1, 500, null), leased(2, 6)]],
    ["reported twice before it is leased", [leased(1, 5), reported(1, 500), reported(1, 500), leased(2, 6)]],
    ["leased again after a redirect", [leased(1, 5), reported(1, 300), leased(2, 6)]],
    ["leased again at the end of the lease, as it is rounded", [leased(1, 5), leased(1, 104)]],
  ])("is linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("linearizable");
  });

  test.each([
    ["held by two", [leased(1, 5), leased(1, 50)]],
    ["held by two until shortly before its end", [leased(1, 5), leased(1, 103)]],
    ["reported without a lease", [reported(1, 200)]],
    ["reported without a lease of its own", [leased(1, 5), reported(1, 500), reported(2, 200)]],
    ["leased although it is settled", [leased(1, 5), reported(1, 200), leased(2, 200)]],
    ["leased again as an attempt that has ended", [leased(1, 5), reported(1, 500), leased(1, 200)]],
    ["an attempt that counts twice", [leased(1, 5), reported(1, 500), reported(1, 200)]],
    ["an attempt that is left out", [leased(1, 5), leased(2, 200)]],
    ["settled by a lost lease", [leased(1, 5, "lost"), leased(1, 105), reported(1, 500, 200, "lost")]],
    ["a result that is lost", [leased(1, 5), reported(1, 500), reported(1, 500, 409)]],
  ])("is not linearizable: %s", (_, steps) => {
    expect(outcomeOf(steps)).toBe("not linearizable");
  });

  function outcomeOf(
    steps: readonly Pick<Operation<LeaseRequest, number>, "request" | "response">[],
  ): string {
    return linearize(leaseModel, inTurn(steps)).outcome;
  }
});

test.each([
  ["all entries", ["1 placed", "2 paid"], [], 0],
  ["nothing", null, [], 1],
  ["a gap", ["1 placed", "3 refunded"], [], 1],
  ["the wrong order", ["2 paid", "1 placed"], [], 1],
  ["too few", ["1 placed"], [], 1],
  ["another entry", ["1 placed", "2 paid", "3 refunded"], [], 1],
  ["an entry that is lost with a primary", ["1 placed", "2 paid"], ["2 cancelled"], 0],
  ["an entry of a lost primary that does not come again", ["1 placed"], ["2 paid"], 0],
  ["another entry after a primary is lost", ["1 placed", "2 cancelled"], ["2 paid"], 1],
  ["too few after a primary is lost", ["1 placed"], ["2 cancelled"], 1],
])("a reader of the feed that saw %s", (_, seen, cutOff, faults) => {
  const timelines = new Map([["order", ["2 paid", "1 placed"]]]);
  const orders = new Map(seen === null ? [] : [["order", seen]]);
  expect(feedFaults(timelines, { orders, mayBeLost: new Map([["order", cutOff]]) })).toHaveLength(faults);
});
