// The checker accepts histories of entries that a server without faults could have made, and hardly any others.
import { expect, test } from "@jest/globals";
import { numbersFrom } from "@tradepost/testing";
import {
  type EntryRequest,
  type EntryResponse,
  type EntryState,
  entryModel,
  NO_ENTRY,
  respond,
  type ShownEntry,
} from "../src/history/entry-model.ts";
import { entryWorkload, newEntryRequest } from "../src/history/entry-workload.ts";
import { linearize, type Operation } from "../src/history/linearize.ts";
import { explains } from "./support/explains.ts";

/** `isChange` says that the operation has changed the entry, and that it has a response. */
type EntryOperation = Operation<EntryRequest, EntryResponse> & { readonly isChange?: true };
type Random = () => number;

const HISTORIES = 60;
const OPERATIONS = 50;
const SEED = 20_261_126;
const DURATION = 4;
const UNANSWERED = 0.04;

const histories = Array.from({ length: HISTORIES }, (_, index) => generate(numbersFrom(SEED + index)));

/** Returns the operations with one fault of a server, or null if the history has nothing to apply it to. */
const MUTATIONS: Readonly<
  Record<string, (operations: EntryOperation[], random: Random) => EntryOperation[] | null>
> = {
  "a change that was acknowledged is lost": (operations, random) => {
    const lost = pick(operations.filter(isChange), random);
    return lost && operations.filter((operation) => operation !== lost);
  },
  "a change takes effect twice": (operations, random) => {
    // A second change to the same title, or a second publication, would change nothing.
    const mayRepeat = ({ request }: EntryOperation) => ["patch", "publish"].includes(request.name);
    const twice = pick(
      operations.filter((one) => isChange(one) && !mayRepeat(one)),
      random,
    );
    return twice && [...operations, twice];
  },
  "a read goes back in time": (operations, random) => {
    const read = pick(operations.filter(isRead), random);
    const older = operations.find(
      (one) => read && isRead(one) && one.endedAt < read.startedAt && versionOf(one) < versionOf(read),
    );
    return read && older ? replace(operations, read, { response: older.response }) : null;
  },
  "a change is acknowledged and refused": (operations, random) => {
    const refused = pick(operations.filter(isChange), random);
    return refused && replace(operations, refused, { response: { status: 412, code: "version_mismatch" } });
  },
  "If-Match is ignored": (operations, random) => {
    const changed = pick(
      // A new entry has no version to name.
      operations.filter(
        (one) => isChange(one) && one.request.name !== "create" && !("ifMatch" in one.request),
      ),
      random,
    );
    const request = changed && ({ ...changed.request, ifMatch: versionOf(changed) } as EntryRequest);
    return changed && request ? replace(operations, changed, { request }) : null;
  },
  "the draft is live": (operations, random) => {
    const read = pick(
      operations.filter((one) => one.request.name === "live" && shownIn(one)?.hasUnpublishedChanges === true),
      random,
    );
    const shown = read && shownIn(read);
    return shown ? mutate(operations, read, { revision: shown.revision + 1 }) : null;
  },
  "a response shows another title": (operations, random) => {
    const shown = pick(operations.filter(shownIn), random);
    return shown && mutate(operations, shown, { title: "Winter" });
  },
  "two changes make one version": (operations, random) => {
    const changed = pick(
      operations.filter((one) => isChange(one) && shownIn(one) !== undefined),
      random,
    );
    return changed && mutate(operations, changed, { version: versionOf(changed) - 1 });
  },
  "an entry is back after its deletion": (operations, random) => {
    const deleted = pick(
      operations.filter(({ request, response }) => request.name === "delete" && response?.status === 200),
      random,
    );
    const earlier = operations.find((one) => deleted && isRead(one) && one.endedAt < deleted.startedAt);
    const at = lastEnd(operations) + 1;
    return deleted && earlier ? [...operations, { ...earlier, startedAt: at, endedAt: at + 1 }] : null;
  },
  "a change happens after its response": (operations, random) => {
    const late = pick(operations.filter(isChange), random);
    const at = lastEnd(operations) + 1;
    return late && replace(operations, late, { startedAt: at, endedAt: at + 1 });
  },
};

const mutants = Object.entries(MUTATIONS).flatMap(([mutation, apply]) =>
  histories.flatMap((history, index) => {
    const mutant = apply(history, numbersFrom(index));
    return mutant === null ? [] : { mutation, mutant, ...linearize(entryModel, mutant) };
  }),
);

test("the checker accepts histories of entries that are linearizable", () => {
  for (const history of histories) {
    const { outcome, order } = linearize(entryModel, history);
    expect(outcome).toBe("linearizable");
    expect(explains(entryModel, order, history)).toBe(true);
  }
});

test.each(Object.keys(MUTATIONS))("the checker refuses histories of entries in which %s", (name) => {
  const some = mutants.filter(({ mutation }) => mutation === name);
  expect(some.length).toBeGreaterThan(HISTORIES / 4);
  const refused = some.filter(({ outcome }) => outcome === "not linearizable");
  expect(refused.length / some.length).toBeGreaterThan(0.8);
});

test("the checker refuses at least 98 of 100 mutated histories of entries, and can explain the others", () => {
  const others = mutants.filter(({ outcome }) => outcome !== "not linearizable");
  // For example, an operation without a response takes the place of the change that is missing.
  for (const { order, mutant } of others) expect(explains(entryModel, order, mutant)).toBe(true);
  expect(others.length / mutants.length).toBeLessThanOrEqual(0.02);
});

test("clients forget an entry that is deleted, unless a read shows what may be lost", () => {
  const known = entryWorkload.create();
  const responseOf = (data: unknown, mayShowLost = false) =>
    entryWorkload.responseOf(known, { status: 200, hasRetryAfter: false, body: { data } }, mayShowLost);
  responseOf([{ id: "e", version: 3, data: { title: "Summer" } }]);
  expect(known.latest).toMatchObject({ id: "e", version: 3 });
  responseOf([], true);
  expect(known.latest).toMatchObject({ id: "e", version: 3 });
  responseOf({ id: "e", deleted: true });
  expect(known.latest).toBeNull();
});

/** Requests, each of which takes effect at one moment between its start and its end. */
function generate(random: Random): EntryOperation[] {
  let state: EntryState = NO_ENTRY;
  let latest: { id: string; version: number } | null = null;
  let created = 0;
  const operations = Array.from({ length: OPERATIONS }, (_, at): EntryOperation => {
    const request = newEntryRequest(latest, random);
    const startedAt = at - DURATION * random();
    if (random() < UNANSWERED) {
      if (random() < 0.5) state = respond(state, request, `e${created++}`).after;
      return { request, response: null, startedAt, endedAt: Number.POSITIVE_INFINITY };
    }
    const { after, responds } = respond(state, request, `e${created++}`);
    const isChanged = after.entry?.id !== state.entry?.id || after.entry?.version !== state.entry?.version;
    const changes = isChanged ? ({ isChange: true } as const) : {};
    state = after;
    // As clients do, it may go on with an entry that is gone, or with an earlier version.
    if ("entries" in responds && random() < 0.9) latest = responds.entries[0] ?? null;
    return { request, response: responds, startedAt, endedAt: at + DURATION * random(), ...changes };
  });
  const at = lastEnd(operations) + 1;
  const { responds } = respond(state, { name: "list" }, null);
  return [...operations, { request: { name: "list" }, response: responds, startedAt: at, endedAt: at + 1 }];
}

function mutate(operations: EntryOperation[], old: EntryOperation, change: Partial<ShownEntry>) {
  const entries = [{ ...shownIn(old), ...change } as ShownEntry];
  return replace(operations, old, { response: { status: old.response?.status ?? 0, entries } });
}

function replace(operations: EntryOperation[], old: EntryOperation, change: Partial<EntryOperation>) {
  return operations.map((operation) => (operation === old ? { ...operation, ...change } : operation));
}

function shownIn({ response }: EntryOperation): ShownEntry | undefined {
  return response !== null && "entries" in response ? response.entries[0] : undefined;
}

function versionOf(operation: EntryOperation): number {
  return shownIn(operation)?.version ?? 0;
}

function isRead(operation: EntryOperation): boolean {
  return operation.request.name === "read" && shownIn(operation) !== undefined;
}

/** Creations, publications and deletions are left out, because without one of them another order often explains the rest. */
function isChange({ isChange, request }: EntryOperation): boolean {
  return isChange === true && ["patch", "unpublish"].includes(request.name);
}

function lastEnd(operations: readonly EntryOperation[]): number {
  return Math.max(...operations.map(({ endedAt }) => endedAt).filter(Number.isFinite));
}

function pick<Item>(items: readonly Item[], random: Random): Item | null {
  return items[Math.floor(random() * items.length)] ?? null;
}
