// Checks an order that the checker has found, without its search.
import type { Model, Operation } from "../../src/history/linearize.ts";

/** True if the operations, in this order, give their responses, and each comes after all that had ended when it began. */
export function explains<State extends object, Request, Response>(
  model: Model<State, Request, Response>,
  order: readonly number[],
  history: readonly Operation<Request, Response>[],
): boolean {
  type One = Operation<Request, Response>;
  const sequence = order.map((index, at) => {
    const operation = history[index] as One;
    // The second time, it is the effect of an earlier try.
    return order.indexOf(index) === at ? operation : { ...operation, ...UNANSWERED };
  });
  const hasAll = history.every(({ response, earlierTryAt }, index) => {
    const times = order.filter((one) => one === index).length;
    return response === null || times === 1 || (times === 2 && earlierTryAt !== undefined);
  });
  const keepsTime = sequence.every(({ startedAt }, index) =>
    sequence.slice(index + 1).every(({ endedAt }) => endedAt >= startedAt),
  );
  let state = model.initial;
  for (const operation of sequence) {
    const next = model.step(state, operation);
    if (next === null) return false;
    state = next;
  }
  return hasAll && keepsTime;
}

const UNANSWERED = { response: null, endedAt: Number.POSITIVE_INFINITY };
