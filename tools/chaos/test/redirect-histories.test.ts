// The checkers of redirects and of feeds accept what a server without faults could have shown, and no generated history with a fault.
import { expect, test } from "@jest/globals";
import { numbersFrom } from "@tradepost/testing";
import { feedFaults } from "../src/history/feed-reader.ts";
import { linearize, type Operation } from "../src/history/linearize.ts";
import {
  type RedirectRequest,
  type RedirectResponse,
  type RedirectState,
  redirectModel,
  respond,
} from "../src/history/redirect-workload.ts";
import { explains } from "./support/explains.ts";

type Random = () => number;
/** `isChange` says that the operation has created or deleted the redirect, and that it has a response. */
type RedirectOperation = Operation<RedirectRequest, RedirectResponse> & { readonly isChange?: true };

const HISTORIES = 60;
const OPERATIONS = 40;
const SEED = 20_261_127;
const DURATION = 3;
const UNANSWERED = 0.02;

const histories = Array.from({ length: HISTORIES }, (_, index) => generate(numbersFrom(SEED + index)));

/** Returns the operations with one fault of a server, or null if the history has nothing to apply it to. */
const MUTATIONS: Readonly<
  Record<string, (operations: RedirectOperation[], random: Random) => RedirectOperation[] | null>
> = {
  "a change that was acknowledged is lost": (operations, random) => {
    const lost = pick(operations.filter(isChange), random);
    return lost && operations.filter((operation) => operation !== lost);
  },
  "a change takes effect twice": (operations, random) => {
    const twice = pick(operations.filter(isChange), random);
    return twice && [...operations, twice];
  },
  "a change is acknowledged and refused": (operations, random) => {
    const refused = pick(operations.filter(isChange), random);
    return refused && replace(operations, refused, { response: { status: 412, code: "version_mismatch" } });
  },
  "a change happens after its response": (operations, random) => {
    const late = pick(operations.filter(isChange), random);
    const at = lastEnd(operations) + 1;
    return late && replace(operations, late, { startedAt: at, endedAt: at + 1 });
  },
  "a read shows a redirect that never existed": (operations, random) => {
    const read = pick(
      operations.filter(({ request, response }) => request.name === "list" && response !== null),
      random,
    );
    return read && replace(operations, read, { response: { status: 200, to: ["/elsewhere"] } });
  },
};

const mutants = Object.entries(MUTATIONS).flatMap(([mutation, apply]) =>
  histories.flatMap((history, index) => {
    const mutant = apply(history, numbersFrom(index));
    return mutant === null ? [] : { mutation, mutant, ...linearize(redirectModel, mutant) };
  }),
);

test("the checker accepts histories of redirects that are linearizable", () => {
  for (const history of histories) {
    const { outcome, order } = linearize(redirectModel, history);
    expect(outcome).toBe("linearizable");
    expect(explains(redirectModel, order, history)).toBe(true);
  }
});

test.each(Object.keys(MUTATIONS))("the checker refuses histories of redirects in which %s", (name) => {
  const some = mutants.filter(({ mutation }) => mutation === name);
  expect(some.length).toBeGreaterThan(HISTORIES / 2);
  const refused = some.filter(({ outcome }) => outcome === "not linearizable");
  expect(refused.length / some.length).toBeGreaterThan(0.8);
});

test("the checker can explain the mutated histories of redirects that it accepts", () => {
  const others = mutants.filter(({ outcome }) => outcome !== "not linearizable");
  // For example, an operation without a response takes the place of the change that is missing.
  for (const { order, mutant } of others) expect(explains(redirectModel, order, mutant)).toBe(true);
  expect(others.length / mutants.length).toBeLessThanOrEqual(0.02);
});

test("each fault of a feed is found: a gap, another order, an entry of another order, and one too many", () => {
  const random = numbersFrom(SEED);
  for (let round = 0; round < 200; round += 1) {
    const length = 2 + Math.floor(random() * 20);
    const timelines = new Map(
      ["a", "b"].map((id) => [id, Array.from({ length }, (_, at) => `${length - at} ${id}`)]),
    );
    const faultsIn = (change: (entries: string[]) => string[]) => {
      const seen = [...timelines].map(([id, timeline]) => [id, timeline.toReversed()] as const);
      const orders = new Map(seen.map(([id, entries]) => [id, id === "a" ? change(entries) : entries]));
      return feedFaults(timelines, { orders, mayBeLost: new Map() }).length;
    };
    const at = Math.floor(random() * (length - 1));
    expect(faultsIn((entries) => entries)).toBe(0);
    expect([
      faultsIn((entries) => entries.toSpliced(at, 1)),
      faultsIn((entries) => entries.toSpliced(at, 2, entries[at + 1] ?? "", entries[at] ?? "")),
      faultsIn((entries) => entries.with(at, `${at + 1} b`)),
      faultsIn((entries) => entries.toSpliced(at, 0, "0 b")),
    ]).toEqual([1, 1, 1, 1]);
  }
});

/** Requests, each of which takes effect at one moment between its start and its end; the last one lists the redirect. */
function generate(random: Random): RedirectOperation[] {
  let state: RedirectState = { to: null };
  const operations = Array.from({ length: OPERATIONS }, (_, at): RedirectOperation => {
    const request = newRequest(state, `/${at}`, random);
    const startedAt = at - DURATION * random();
    const { to, responds } = respond(state, request);
    if (random() < UNANSWERED) {
      if (random() < 0.5) state = { to };
      return { request, response: null, startedAt, endedAt: Number.POSITIVE_INFINITY };
    }
    const changes = to === state.to ? {} : ({ isChange: true } as const);
    state = { to };
    return { request, response: responds, startedAt, endedAt: at + DURATION * random(), ...changes };
  });
  const at = lastEnd(operations) + 1;
  const { responds } = respond(state, { name: "list" });
  return [...operations, { request: { name: "list" }, response: responds, startedAt: at, endedAt: at + 1 }];
}

function newRequest({ to }: RedirectState, target: string, random: Random): RedirectRequest {
  const chance = random();
  if (chance < 0.3) return { name: "create", to: target };
  // As clients do, it may delete a redirect that is gone.
  if (chance < 0.55) return { name: "delete", to: to ?? "/gone" };
  return { name: chance < 0.8 ? "resolve" : "list" };
}

function isChange(operation: RedirectOperation): boolean {
  return operation.isChange === true;
}

function replace(
  operations: RedirectOperation[],
  old: RedirectOperation,
  change: Partial<RedirectOperation>,
) {
  return operations.map((operation) => (operation === old ? { ...operation, ...change } : operation));
}

function lastEnd(operations: readonly RedirectOperation[]): number {
  return Math.max(...operations.map(({ endedAt }) => endedAt).filter(Number.isFinite));
}

function pick<Item>(items: readonly Item[], random: Random): Item | null {
  return items[Math.floor(random() * items.length)] ?? null;
}
