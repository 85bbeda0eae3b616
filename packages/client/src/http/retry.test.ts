// The decision to repeat a request, without a server.
import { type Failure, withoutResponse } from "./failure.ts";
import { isRepeatable, waitBeforeNextTry } from "./retry.ts";

const lost = withoutResponse("connection_failed", "reset", true);
const attempted = {
  method: "GET",
  hasIdempotencyKey: false,
  hasIfMatch: false,
  tries: 1,
  remainingMs: 60_000,
  random: () => 0.5,
};

test("only what has the same effect twice is repeated", () => {
  const key = { hasIdempotencyKey: true, hasIfMatch: false };
  const tag = { hasIdempotencyKey: false, hasIfMatch: true };
  const neither = { hasIdempotencyKey: false, hasIfMatch: false };
  for (const method of ["GET", "PUT", "DELETE"]) expect(isRepeatable({ method, ...neither })).toBe(true);
  expect(isRepeatable({ method: "POST", ...neither })).toBe(false);
  expect(isRepeatable({ method: "POST", ...tag })).toBe(false);
  expect(isRepeatable({ method: "POST", ...key })).toBe(true);
  expect(isRepeatable({ method: "PATCH", ...neither })).toBe(false);
  expect(isRepeatable({ method: "PATCH", ...tag })).toBe(true);
});

test("the bound of the wait doubles, up to 8 s, and the wait is a random part of it", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 100].map((tries) => waitBeforeNextTry(lost, { ...attempted, tries }));
  expect(waits).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  expect(waitBeforeNextTry(lost, { ...attempted, random: () => 0 })).toBe(1);
});

test("Retry-After is the least", () => {
  const limited: Failure = { ...lost, retryAfterSeconds: 3 };
  expect(waitBeforeNextTry(limited, { ...attempted, random: () => 0 })).toBe(3_000);
  expect(waitBeforeNextTry(limited, { ...attempted, remainingMs: 3_000 })).toBeNull();
});

test("a server that asks for no wait gets longer and longer ones", () => {
  const limited: Failure = { ...lost, retryAfterSeconds: 0 };
  const waits = [1, 2, 6, 100].map((tries) => waitBeforeNextTry(limited, { ...attempted, tries }));
  expect(waits).toEqual([125, 250, 4_000, 4_000]);
});

test("a wait that no timer can take is shortened, and does not become none", () => {
  const limited: Failure = { ...lost, retryAfterSeconds: 999_999_999 };
  const remainingMs = Number.POSITIVE_INFINITY;
  expect(waitBeforeNextTry(limited, { ...attempted, remainingMs })).toBe(2 ** 31 - 1);
});

test("a failure that stays is not repeated", () => {
  expect(waitBeforeNextTry({ ...lost, isTransient: false }, attempted)).toBeNull();
});
