import { healthStatus } from "../../subscriptions/subscription-store.ts";
import { PATIENCE } from "../next-attempt.ts";
import { type EndedAttempt, type Health, healthAfter } from "./health.ts";

const NEW: Health = {
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastError: null,
  failingSince: null,
  downSince: null,
  heldUntil: null,
};
const START = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;

const failed = (minute: number, more: Partial<EndedAttempt> = {}): EndedAttempt => ({
  at: new Date(START + minute * MINUTE),
  durationMs: 0,
  outcome: "http_status",
  statusCode: 500,
  holdMs: null,
  ...more,
});
const failures = (...minutes: number[]) => minutes.map((minute) => failed(minute));
const succeeded = (minute: number): EndedAttempt => failed(minute, { outcome: "delivered", statusCode: 200 });
const after = (attempts: readonly EndedAttempt[], before = NEW) => healthAfter(before, attempts, PATIENCE);
const minuteOf = (time: Date | null) => time && (time.getTime() - START) / MINUTE;
const named = (attempts: readonly EndedAttempt[], before = NEW) =>
  after(attempts, before).changes.map(({ name, notice }) => `${name} ${notice.kind}`);

describe("an endpoint", () => {
  test("is down after an hour of at least 8 failures without a success", () => {
    const often = failures(0, 1, 2, 3, 4, 5, 6, 7, 59);
    expect(after(often).health.downSince).toBeNull();
    expect(minuteOf(after([...often, failed(60)]).health.downSince)).toBe(60);
    expect(after(failures(0, 10, 20, 30, 40, 50, 61)).health.downSince).toBeNull();
    expect(after([failed(0), succeeded(1), ...often.slice(2), failed(60)]).health.downSince).toBeNull();
  });

  test("that is down is held after each failure, until a success", () => {
    const down = after(failures(0, 1, 2, 3, 4, 5, 6, 60)).health;
    expect(minuteOf(down.heldUntil)).toBe(61);
    expect(minuteOf(after([failed(60 + 24 * 60)], down).health.heldUntil)).toBe(60 + 24 * 60 + 15);
    expect(after([succeeded(200)], down).health).toMatchObject({ downSince: null, heldUntil: null });
  });

  test("is held for as long as it asks, also after a success", () => {
    const held = after([failed(0, { statusCode: 429, holdMs: 30 * MINUTE })]).health;
    expect(minuteOf(held.heldUntil)).toBe(30);
    expect(minuteOf(after([succeeded(1)], held).health.heldUntil)).toBe(30);
  });
});

describe("notices", () => {
  test("open at the fifth failure, also if a batch jumps over it", () => {
    expect(named(failures(0, 1, 2, 3))).toEqual([]);
    expect(named(failures(0, 1, 2, 3, 4))).toEqual(["open endpoint_failing"]);
    const four = after(failures(0, 1, 2, 3)).health;
    expect(named(failures(4, 5, 6), four)[0]).toBe("open endpoint_failing");
  });

  test("of an episode that ends in the same batch open and close", () => {
    const changes = named(failures(0, 0, 0, 0, 0).concat(succeeded(0)));
    expect(changes).toEqual([
      "open endpoint_failing",
      "close endpoint_failing",
      "close endpoint_down",
      "close endpoint_gone",
    ]);
  });

  test("say at once that the endpoint is gone, with no more than a time", () => {
    const { changes } = after([failed(0, { statusCode: 410 })]);
    expect(changes).toEqual([
      { name: "open", notice: { kind: "endpoint_gone", facts: { since: new Date(START).toISOString() } } },
    ]);
  });

  test("of a success at a healthy endpoint are none", () => {
    expect(named([succeeded(0), succeeded(1)])).toEqual([]);
  });

  test("have the facts of the episode", () => {
    const attempts = failures(1, 2, 3, 4, 5);
    const facts = { since: new Date(START + MINUTE).toISOString(), failures: 5, lastOutcome: "http_status" };
    const opened = { ...facts, lastStatusCode: 500 };
    expect(after(attempts).changes).toEqual([
      { name: "open", notice: { kind: "endpoint_failing", facts: opened } },
    ]);
    const [closed] = after([succeeded(6)], after(attempts).health).changes;
    expect(closed).toEqual({ name: "close", notice: { kind: "endpoint_failing", facts: opened } });
    const timeout = failed(5, { outcome: "timeout", statusCode: null });
    expect(after([...attempts.slice(0, 4), timeout]).changes).toMatchObject([
      { notice: { facts: { lastOutcome: "timeout", lastStatusCode: null } } },
    ]);
    const unknown = { ...NEW, consecutiveFailures: 5 };
    expect(after([succeeded(6)], unknown).changes[0]).toMatchObject({
      notice: { facts: { since: null, lastOutcome: "", lastStatusCode: null } },
    });
  });

  test("say that the endpoint is down with each failure while it is", () => {
    const down = after(failures(0, 1, 2, 3, 4, 5, 6, 60));
    expect(down.changes.at(-1)).toMatchObject({ name: "open", notice: { kind: "endpoint_down" } });
    expect(named([failed(61)], down.health)).toEqual(["open endpoint_failing", "open endpoint_down"]);
  });

  test("of an attempt at a former URL say nothing of a Retry-After or a 410", () => {
    const former = failed(0, { statusCode: 410, holdMs: MINUTE, isAtFormerUrl: true });
    expect(named([former])).toEqual([]);
    expect(after([former]).health.heldUntil).toBeNull();
  });
});

describe("the health of an endpoint", () => {
  test("is failing from the fifth failure on, until it is down", () => {
    const at = (consecutiveFailures: number, downSince: Date | null = null) =>
      healthStatus({ consecutive_failures: consecutiveFailures, down_since: downSince });
    expect([at(0), at(4), at(5), at(20)]).toEqual(["healthy", "healthy", "failing", "failing"]);
    expect(at(20, new Date())).toBe("down");
  });

  test("keeps what an attempt does not change", () => {
    const [first, second] = [failed(0, { durationMs: MINUTE, holdMs: MINUTE }), succeeded(1)];
    const { health } = after([first, second]);
    expect(health).toEqual({
      ...NEW,
      ...{ lastSuccessAt: second.at, lastFailureAt: first.at, lastError: "http_status 500" },
      heldUntil: new Date(START + 2 * MINUTE),
    });
    expect(after([failed(2)], health).health.lastSuccessAt).toEqual(second.at);
  });
});
