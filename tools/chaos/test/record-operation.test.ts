// A history's record of a request that a client sends several times.
import type { Operation } from "../src/history/linearize.ts";
import { type Recorder, recordOperation } from "../src/history/record-operation.ts";

type Recorded = Operation<string, number>;

const ENDED = { startedAt: expect.any(Number), endedAt: expect.any(Number) };

test("a success is that of any of the tries", async () => {
  const { operations, sentAt } = await record("POST", [503, 201]);
  expect(operations).toEqual([{ request: "request", response: 201, ...ENDED }]);
  expect(operations[0]?.startedAt).toBeLessThanOrEqual(sentAt[0] as number);
});

test("a refusal is that of the last try, and an earlier one may take effect later", async () => {
  const { operations, sentAt } = await record("POST", [0, 503, 409]);
  const [operation] = operations;
  expect(operations).toEqual([
    { request: "request", response: 409, ...ENDED, earlierTryAt: expect.any(Number) },
  ]);
  expect(operation?.startedAt).toBeGreaterThan(sentAt[1] as number);
  expect(operation?.earlierTryAt).toBeLessThanOrEqual(sentAt[0] as number);
});

test("a change without a response may have taken effect, a read shows nothing", async () => {
  const unanswered = { request: "request", response: null, startedAt: expect.any(Number) };
  const { operations } = await record("PATCH", [503]);
  expect(operations).toEqual([{ ...unanswered, endedAt: Number.POSITIVE_INFINITY }]);
  expect((await record("GET", [503])).operations).toEqual([]);
});

test("a read is left out if a primary is cut off when it begins or ends, because it may show what is lost", async () => {
  expect((await record("GET", [200], [true, false])).operations).toEqual([]);
  expect((await record("GET", [200], [false, true])).operations).toEqual([]);
  const { operations } = await record("POST", [200], [true, true]);
  expect(operations).toEqual([{ request: "request", response: 200, ...ENDED }]);
});

/** Sends a request until a status is not retryable or no status is left. `cutOff` says at each look whether a primary is cut off. */
async function record(method: "GET" | "POST" | "PATCH", statuses: number[], cutOff: boolean[] = []) {
  const [operations, sentAt]: [Recorded[], number[]] = [[], []];
  const recorder: Recorder = {
    sender: {
      send: async () => {
        sentAt.push(performance.now());
        return { status: statuses.shift() ?? 0, hasRetryAfter: true, body: {} };
      },
      close: async () => undefined,
    },
    tenant: { apiKey: "", ownerToken: "", customerId: "", signingSecret: "" } as Recorder["tenant"],
    failedRequests: [],
    readsMayShowLost: () => cutOff.shift() ?? false,
  };
  await recordOperation(recorder, operations, {
    ...{ request: "request", http: { method, path: "/" } },
    responseOf: ({ status }) => status,
    mayRepeat: () => statuses.length > 0,
  });
  return { operations, sentAt };
}
