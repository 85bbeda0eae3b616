// The checker of histories accepts histories that a server without faults could have made, and no other histories.
import { numbersFrom } from "@tradepost/testing";
import { linearize, type Model, type Operation } from "../src/history/linearize.ts";
import { orderModel } from "../src/history/order-model.ts";
import { generateHistory, MUTATIONS, type OrderOperation } from "./support/generate-history.ts";

const HISTORIES = 30;
const OPERATIONS = 50;
const SEED = 20_261_125;
const UNANSWERED = { response: null, endedAt: Number.POSITIVE_INFINITY };

const histories = Array.from({ length: HISTORIES }, (_, index) =>
  generateHistory(OPERATIONS, numbersFrom(SEED + index)),
);
const mutants = mutantsOf(histories);

describe("the checker of histories", () => {
  test("accepts histories that are linearizable, with an order that explains each", () => {
    for (const history of histories) {
      const { outcome, order } = linearize(orderModel, history);
      expect(outcome).toBe("linearizable");
      expect(explains(orderModel, order, history)).toBe(true);
    }
  });

  test.each(Object.keys(MUTATIONS))("refuses histories in which %s", (name) => {
    const some = mutants.filter(({ mutation }) => mutation === name);
    expect(some.length).toBeGreaterThan(HISTORIES / 2);
    const refused = some.filter(({ outcome }) => outcome === "not linearizable");
    expect(refused.length / some.length).toBeGreaterThan(0.9);
  });

  test("refuses at least 98 of 100 mutated histories, and can explain the others", () => {
    const others = mutants.filter(({ outcome }) => outcome !== "not linearizable");
    // For example, an operation without a response takes the place of the change that is missing.
    for (const { order, mutant } of others) expect(explains(orderModel, order, mutant)).toBe(true);
    expect(others.length / mutants.length).toBeLessThanOrEqual(0.02);
  });

  test("decides as a search through all orders does", () => {
    const outcomes = { linearizable: 0, "not linearizable": 0, undecided: 0 };
    for (let seed = 0; seed < 1_500; seed += 1) {
      const operations = randomRegister(numbersFrom(seed));
      const { outcome } = linearize(register, operations);
      expect([seed, outcome === "linearizable"]).toEqual([seed, hasOrder(operations)]);
      outcomes[outcome] += 1;
    }
    expect(outcomes.linearizable).toBeGreaterThan(200);
    expect(outcomes["not linearizable"]).toBeGreaterThan(200);
  });
});

function mutantsOf(originals: readonly (readonly OrderOperation[])[]) {
  return Object.entries(MUTATIONS).flatMap(([mutation, mutate]) =>
    originals.flatMap((history, index) => {
      const mutant = mutate(history, numbersFrom(index));
      return mutant === null ? [] : { mutation, mutant, ...linearize(orderModel, mutant) };
    }),
  );
}

/** True if the operations, in this order, give their responses, and each comes after all that had ended when it began. */
function explains<State extends object, Request, Response>(
  model: Model<State, Request, Response>,
  order: readonly number[],
  history: readonly Operation<Request, Response>[],
): boolean {
  const sequence = order.map((index, at) => {
    const operation = history[index] as Operation<Request, Response>;
    // An operation's second occurrence is the effect of an earlier try.
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

/** A number that clients write and read; a write responds with the number before. */
type RegisterOperation = Operation<{ write?: number }, number>;
const register: Model<{ value: number }, { write?: number }, number> = {
  initial: { value: 0 },
  step: (state, { request, response }) => {
    if (response !== null && response !== state.value) return null;
    return { value: request.write ?? state.value };
  },
};

function randomRegister(random: () => number): RegisterOperation[] {
  const below = (bound: number) => Math.floor(random() * bound);
  return Array.from({ length: 2 + below(4) }, () => {
    const startedAt = below(8);
    const request = below(2) === 0 ? { write: below(3) } : {};
    return below(6) === 0
      ? { request, startedAt, ...UNANSWERED }
      : { request, response: below(3), startedAt, endedAt: startedAt + below(6) };
  });
}

/** Tries each order of the operations that took effect, and each subset of the operations without a response. */
function hasOrder(left: readonly RegisterOperation[], state = register.initial): boolean {
  if (left.every(({ response }) => response === null)) return true;
  return left.some((operation) => {
    const others = left.filter((one) => one !== operation);
    if (others.some(({ endedAt }) => endedAt < operation.startedAt)) return false;
    const next = register.step(state, operation);
    return next !== null && hasOrder(others, next);
  });
}
