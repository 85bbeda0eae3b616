// Decides whether a history is linearizable: whether each operation can have taken effect at one moment between its start and its
// end, so that one client after the other would have got the same responses. This is the search of Wing and Gong, with Lowe's cache
// of the states that it has reached. Pure.
import { isDeepStrictEqual } from "node:util";

export interface Operation<Request, Response> {
  readonly request: Request;
  /** Null if no response arrived. The operation may then have taken effect at any moment after its start, or never. */
  readonly response: Response | null;
  readonly startedAt: number;
  readonly endedAt: number;
  /**
   * The start of an earlier try of the same request, which got no response, while this response refuses the request. The refusal
   * means that the try had not taken effect; it may do so later, or never.
   */
  readonly earlierTryAt?: number;
}

export interface Model<State extends object, Request, Response> {
  readonly initial: State;
  /**
   * Returns the state after the operation, or null if the operation cannot have its response in this state. Without a response, null
   * means that the operation would change nothing.
   */
  readonly step: (state: State, operation: Operation<Request, Response>) => State | null;
}

/** The model of a server whose response to a request follows from its state. */
export function modelOf<State extends object, Request, Response>(
  initial: State,
  respond: (
    state: State,
    request: Request,
    response: Response | null,
  ) => { readonly after: State; readonly responds: Response },
): Model<State, Request, Response> {
  const step: Model<State, Request, Response>["step"] = (state, { request, response }) => {
    const { after, responds } = respond(state, request, response);
    const isPossible =
      response === null ? !isDeepStrictEqual(after, state) : isDeepStrictEqual(responds, response);
    return isPossible ? after : null;
  };
  return { initial, step };
}

export interface Verdict {
  /** `undecided` if the search has reached too many states. */
  readonly outcome: "linearizable" | "not linearizable" | "undecided";
  /**
   * The indices of the operations in the order that explains the history, or in the longest one that the search has found. An
   * operation with an earlier try that takes effect late is in it twice.
   */
  readonly order: readonly number[];
}

// A history of 60 operations reaches a few hundred. This many take about a second, and less than 100 MB.
const STATES_MAX = 200_000;

export function linearize<State extends object, Request, Response>(
  { initial, step }: Model<State, Request, Response>,
  operations: readonly Operation<Request, Response>[],
): Verdict {
  const byEnd = stepsOf(operations).sort((a, b) => a.operation.endedAt - b.operation.endedAt);
  const reached = new Set<string>();
  const order: number[] = [];
  let longest: readonly number[] = [];
  const isLinearizable = search(0n, initial);
  if (isLinearizable) return { outcome: "linearizable", order };
  return { outcome: reached.size < STATES_MAX ? "not linearizable" : "undecided", order: longest };

  /** `done` has the bits of the steps that have been taken. */
  function search(done: bigint, state: State): boolean {
    const left = byEnd.filter(({ bit }) => (done & bit) === 0n);
    const firstEnd = left[0]?.operation.endedAt ?? Number.POSITIVE_INFINITY;
    // The operations without a response need not take effect.
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    for (const { index, operation, bit, after } of left) {
      // The operation began after the end of an operation that has not taken effect yet.
      if (operation.startedAt > firstEnd || (done & after) !== after) continue;
      const next = step(state, operation);
      if (next === null) continue;
      const nextDone = done | bit;
      const key = `${nextDone} ${JSON.stringify(next)}`;
      // The search has reached this state before, or too many states.
      if (reached.has(key) || reached.size >= STATES_MAX) continue;
      reached.add(key);
      order.push(index);
      if (order.length > longest.length) longest = [...order];
      if (search(nextDone, next)) return true;
      order.pop();
    }
    return false;
  }
}

/** `after` has the bits of the steps that come first. */
function stepsOf<Request, Response>(operations: readonly Operation<Request, Response>[]) {
  const bitOf = (index: number) => 1n << BigInt(index);
  return operations.flatMap((operation, index) => {
    const step = { index, operation, bit: bitOf(index), after: 0n };
    const { request, earlierTryAt } = operation;
    if (earlierTryAt === undefined) return [step];
    const late: typeof operation = {
      request,
      response: null,
      startedAt: earlierTryAt,
      endedAt: Number.POSITIVE_INFINITY,
    };
    return [step, { index, operation: late, bit: bitOf(operations.length + index), after: step.bit }];
  });
}
