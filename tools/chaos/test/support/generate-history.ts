// Histories of one order that are linearizable by construction, and mutations that break them.
import type { Operation } from "../../src/history/linearize.ts";
import {
  NOT_PLACED,
  type OrderRequest,
  type OrderResponse,
  type OrderState,
  respond,
} from "../../src/history/order-model.ts";
import { newOrderRequest } from "../../src/history/order-workload.ts";

/** `isChange` says that the operation has made a new version, and that its response shows it. */
export type OrderOperation = Operation<OrderRequest, OrderResponse> & { readonly isChange?: true };

// Wide enough that about five operations are in progress at a time.
const DURATION = 5;
const UNANSWERED = 0.05;
const REPEATED = 0.3;
const LATE = 0.3;
const READS: readonly OrderRequest["name"][] = ["read", "list", "timeline"];

/** `operations` requests, each of which takes effect at one moment between its start and its end. */
export function generateHistory(operations: number, random: () => number): OrderOperation[] {
  let order: OrderState = NOT_PLACED;
  const late: OrderRequest[] = [];
  const generated = Array.from({ length: operations }, (_, at): OrderOperation => {
    const request = newRequest(order, random);
    const startedAt = at - DURATION * random();
    if (random() < UNANSWERED) {
      if (random() < 0.5) order = respond(order, request).after;
      return { request, response: null, startedAt, endedAt: Number.POSITIVE_INFINITY };
    }
    const { after, responds } = respond(order, request);
    const changes = changesIn(order, after);
    order = after;
    const endedAt = at + DURATION * random();
    const answered = { request, response: responds, startedAt, endedAt, ...changes };
    const isRepeated = "code" in responds && !READS.includes(request.name) && random() < REPEATED;
    if (isRepeated) late.push(request);
    // Earlier tries of requests that were refused take effect.
    else if (random() < LATE) for (const one of late.splice(0, 1)) order = respond(order, one).after;
    return isRepeated ? { ...answered, earlierTryAt: startedAt - DURATION * random() } : answered;
  });
  return [...generated, readAtEnd(order, generated)];
}

/** As in a run, a history ends with a read of the timeline. */
function readAtEnd(order: OrderState, operations: readonly OrderOperation[]): OrderOperation {
  const request = { name: "timeline" } as const;
  const startedAt = lastEnd(operations) + 1;
  return { request, response: respond(order, request).responds, startedAt, endedAt: startedAt + 1 };
}

function lastEnd(operations: readonly OrderOperation[]): number {
  return Math.max(...operations.map(({ endedAt }) => endedAt).filter(Number.isFinite));
}

function changesIn(before: OrderState, after: OrderState): Pick<OrderOperation, "isChange"> {
  return after.version > before.version ? { isChange: true } : {};
}

function newRequest(order: OrderState, random: () => number): OrderRequest {
  // As with real clients, the version may no longer be the latest.
  return newOrderRequest(Math.max(0, order.version - (random() < 0.2 ? 1 : 0)), random);
}

/** Returns the operations with one fault of a server, or null if the history has nothing to apply it to. */
type Mutation = (operations: readonly OrderOperation[], random: () => number) => OrderOperation[] | null;

/** Mutates the history at one of the operations that match. */
function at(
  matches: (operation: OrderOperation) => boolean,
  mutate: (
    operations: readonly OrderOperation[],
    one: OrderOperation,
    random: () => number,
  ) => OrderOperation[] | null,
): Mutation {
  return (operations, random) => {
    const one = pick(operations.filter(matches), random);
    return one && mutate(operations, one, random);
  };
}

const REFUSAL = { status: 412, code: "version_mismatch" };

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a change that was acknowledged is lost": at(isChange, (operations, lost) =>
    operations.filter((operation) => operation !== lost),
  ),
  "a change takes effect twice": at(
    // A repeated reference is accepted, and changes nothing.
    (one) => isChange(one) && !("reference" in one.request),
    (operations, twice) => [...operations, twice],
  ),
  "a read goes back in time": at(isRead, (operations, read) => {
    const earlier = operations.filter((one) => isRead(one) && one.endedAt < read.startedAt);
    const old = earlier.find(({ response }) => !sameJson(response, read.response));
    return old ? replace(operations, read, { response: old.response }) : null;
  }),
  "a read sees the future": at(isRead, (operations, read) => {
    const later = operations.filter((one) => isRead(one) && one.startedAt > read.endedAt);
    const next = later.findLast(({ response }) => !sameJson(response, read.response));
    return next ? replace(operations, read, { response: next.response }) : null;
  }),
  "If-Match is ignored": at(
    // A new order has no version to name.
    (one) => isChange(one) && one.request.name !== "place" && one.request.ifMatch === undefined,
    (operations, changed) => {
      const shown = changed.response as { order: { version: number } };
      // The version that the request names is the order's version after the change.
      return replace(operations, changed, { request: { ...changed.request, ifMatch: shown.order.version } });
    },
  ),
  "a change is acknowledged and refused": at(isChange, (operations, refused) =>
    replace(operations, refused, { response: REFUSAL }),
  ),
  "a refused change is acknowledged": at(
    ({ response }) => response !== null && "code" in response,
    (operations, refused, random) => {
      const other = pick(operations.filter(isChange), random);
      return other && replace(operations, refused, { response: other.response });
    },
  ),
  "two changes make one version": at(isChange, (operations, changed) =>
    mutateOrder(operations, changed, (order) => ({ version: order.version - 1 })),
  ),
  "the refunded amount is wrong": at(showsOrder, (operations, shown) =>
    mutateOrder(operations, shown, (order) => ({ refunded: order.refunded + 1 })),
  ),
  "a request takes effect, and its repetition is refused": at(
    (one) => isChange(one) && one.request.ifMatch !== undefined,
    // The repetition finds the version that the request itself has made.
    (operations, done) =>
      replace(operations, done, {
        response: REFUSAL,
        earlierTryAt: done.startedAt,
        startedAt: done.endedAt + DURATION,
        endedAt: done.endedAt + 2 * DURATION,
      }),
  ),
  "a change happens after its response": at(isChange, (operations, late) => {
    const end = lastEnd(operations);
    return replace(operations, late, { startedAt: end + 1, endedAt: end + 2 });
  }),
  "the timeline misses a change": at(
    ({ request }) => request.name === "timeline",
    (operations, read, random) => {
      if (read.response === null || !("timeline" in read.response)) return null;
      const { timeline } = read.response;
      if (timeline.length < 2) return null;
      // Without the newest entry it would be the timeline of an earlier moment.
      const missing = 1 + Math.floor(random() * (timeline.length - 1));
      const response = { status: 200 as const, timeline: timeline.toSpliced(missing, 1) };
      return replace(operations, read, { response });
    },
  ),
};

function replace(
  operations: readonly OrderOperation[],
  old: OrderOperation,
  change: Partial<OrderOperation>,
): OrderOperation[] {
  return operations.map((operation) => (operation === old ? { ...operation, ...change } : operation));
}

type Shown = { readonly version: number; readonly refunded: number };

function mutateOrder(
  operations: readonly OrderOperation[],
  old: OrderOperation,
  change: (order: Shown) => object,
): OrderOperation[] {
  const response = old.response as { status: 200; order: Shown };
  const order = { ...response.order, ...change(response.order) };
  return replace(operations, old, { response: { ...response, order } as OrderResponse });
}

/** A patch is left out, because any unanswered patch explains what is missing of it. */
function isChange({ isChange, request }: OrderOperation): boolean {
  return isChange === true && request.name !== "patch";
}

function showsOrder({ response }: Pick<OrderOperation, "request" | "response">): boolean {
  return response !== null && "order" in response;
}

function isRead({ request, response }: OrderOperation): boolean {
  return request.name === "read" && response !== null && "order" in response;
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function pick<Item>(items: readonly Item[], random: () => number): Item | null {
  return items[Math.floor(random() * items.length)] ?? null;
}
