// Decides whether a history is linearizable: whether each operation can have taken effect at one moment between its start and its
// end, so that one client after the other would have got the same responses. This is the search of Wing and Gong, with Lowe's cache
// of the states that it has reached. Pure.

/** A request of a client, with its response. */
export interface Operation<Request, Response> {
  readonly request: Request;
  /** Null if none arrived. The operation may then have taken effect at any moment after its start, or never. */
  readonly response: Response | null;
  readonly startedAt: number;
  /** Infinity without a response. */
  readonly endedAt: number;
}

export interface Model<State extends object, Request, Response> {
  readonly initial: State;
  /**
   * Returns the state after the operation, or null if the operation cannot have its response in this state. Without a response, null
   * means that the operation would change nothing.
   */
  readonly step: (state: State, operation: Operation<Request, Response>) => State | null;
  /** Equal for equal states. */
  readonly keyOf: (state: State) => string;
}

export interface Verdict {
  /** `undecided` if the search has reached too many states. */
  readonly outcome: "linearizable" | "not linearizable" | "undecided";
  /** The indices of the operations in the order that explains the history, or in the longest one that the search has found. */
  readonly order: readonly number[];
}

// A history of 60 operations reaches a few hundred. This many take about a second, and less than 100 MB.
const STATES_MAX = 200_000;

export function linearize<State extends object, Request, Response>(
  { initial, step, keyOf }: Model<State, Request, Response>,
  operations: readonly Operation<Request, Response>[],
): Verdict {
  const byEnd = [...operations.entries()].sort(([, a], [, b]) => a.endedAt - b.endedAt);
  const reached = new Set<string>();
  const order: number[] = [];
  let longest: readonly number[] = [];
  const isLinearizable = search(0n, initial);
  if (isLinearizable) return { outcome: "linearizable", order };
  return { outcome: reached.size < STATES_MAX ? "not linearizable" : "undecided", order: longest };

  /** `done` has a bit for each operation that has taken effect. */
  function search(done: bigint, state: State): boolean {
    const left = byEnd.filter(([index]) => (done & (1n << BigInt(index))) === 0n);
    const firstEnd = left[0]?.[1].endedAt ?? Number.POSITIVE_INFINITY;
    // The operations without a response need not take effect.
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    for (const [index, operation] of left) {
      // It began after the end of an operation that has not taken effect yet.
      if (operation.startedAt > firstEnd) continue;
      const next = step(state, operation);
      if (next === null) continue;
      const nextDone = done | (1n << BigInt(index));
      const key = `${nextDone} ${keyOf(next)}`;
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
