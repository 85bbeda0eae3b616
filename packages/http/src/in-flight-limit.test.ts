import { Socket } from "node:net";
import { ApiError } from "./api-error.ts";
import { createAdmission, inFlightLimit } from "./in-flight-limit.ts";

const LIMITS = { inProgressMax: 6, inProgressOfTenantMax: 3, waitingMax: 5, waitingOfTenantMax: 4 };

function setUp(limits = LIMITS) {
  const admission = createAdmission(limits);
  const started: string[] = [];
  return {
    admission,
    started,
    acquire: (tenantId: string, count: number) =>
      Array.from({ length: count }, () => admission.tryAcquire(tenantId)).filter(Boolean).length,
    enqueue: (tenantId: string, name = tenantId) => {
      const waiter = { tenantId, start: () => void started.push(name) };
      return admission.enqueue(waiter) ? waiter : null;
    },
  };
}

describe("admission", () => {
  test("admits a tenant up to the tenant's limit", () => {
    const { admission, acquire } = setUp();
    expect(acquire("a", 10)).toBe(3);
    expect(admission.exhausted("a")).toBe("tenant");
    expect(acquire("b", 1)).toBe(1);
  });

  test("admits all tenants together up to the common limit", () => {
    const { admission, acquire } = setUp();
    expect([acquire("a", 3), acquire("b", 2), acquire("c", 3)]).toEqual([3, 2, 1]);
    expect(admission.exhausted("c")).toBe("all");
  });

  test("starts waiting requests in their order as slots are released", () => {
    const { admission, started, acquire, enqueue } = setUp();
    acquire("a", 3);
    enqueue("a", "first");
    enqueue("a", "second");
    admission.release("a");
    expect(started).toEqual(["first"]);
    expect(admission.tryAcquire("a")).toBe(false);
    admission.release("a");
    expect(started).toEqual(["first", "second"]);
  });

  test("prefers the tenant with the fewest in progress, and skips a tenant at its limit", () => {
    const { admission, started, acquire, enqueue } = setUp();
    acquire("a", 3);
    acquire("b", 3);
    for (const tenantId of ["a", "b", "c", "c"]) enqueue(tenantId);
    admission.release("b");
    expect(started).toEqual(["c"]);
    admission.release("a");
    expect(started).toEqual(["c", "c"]);
    admission.release("b");
    expect(started).toEqual(["c", "c", "b"]);
  });

  test("bounds the queue of one tenant and of all tenants", () => {
    const { acquire, enqueue } = setUp();
    acquire("a", 3);
    acquire("b", 3);
    expect(["a", "a", "a", "a", "a"].map((tenantId) => enqueue(tenantId) !== null)).toEqual([
      ...Array(4).fill(true),
      false,
    ]);
    expect([enqueue("b"), enqueue("b")].map((waiter) => waiter !== null)).toEqual([true, false]);
  });

  test("never starts a cancelled request, and gives its room in the queue to another", () => {
    const { admission, started, acquire, enqueue } = setUp({ ...LIMITS, waitingOfTenantMax: 1 });
    acquire("a", 3);
    const cancelled = enqueue("a", "cancelled");
    if (cancelled !== null) admission.cancel(cancelled);
    if (cancelled !== null) admission.cancel(cancelled);
    enqueue("a", "next");
    admission.release("a");
    admission.release("a");
    expect(started).toEqual(["next"]);
    expect(acquire("a", 3)).toBe(1);
  });

  test("lets a tenant that was full begin again when all of it has ended", () => {
    const { admission, acquire, enqueue, started } = setUp({ ...LIMITS, waitingMax: 1 });
    acquire("a", 3);
    const cancelled = enqueue("a", "cancelled");
    expect(enqueue("b")).toBeNull();
    if (cancelled !== null) admission.cancel(cancelled);
    expect(enqueue("a", "next")).not.toBeNull();
    expect(enqueue("b")).toBeNull();
    admission.release("a");
    expect(started).toEqual(["next"]);
    for (const _ of [1, 2, 3]) admission.release("a");
    expect([acquire("a", 4), admission.exhausted("a"), acquire("b", 4)]).toEqual([3, "tenant", 3]);
    expect(acquire("c", 1)).toBe(0);
  });

  test("leaves the others waiting if one is cancelled that has started", () => {
    const { admission, acquire, enqueue, started } = setUp();
    acquire("a", 3);
    const first = enqueue("a", "first");
    enqueue("a", "second");
    admission.release("a");
    if (first !== null) admission.cancel(first);
    admission.release("a");
    expect(started).toEqual(["first", "second"]);
  });

  test("does not start a tenant at its limit, though another slot is free", () => {
    const { admission, acquire, enqueue, started } = setUp();
    acquire("a", 3);
    acquire("b", 2);
    enqueue("a");
    admission.release("b");
    expect(started).toEqual([]);
  });

  test("starts the tenant that has waited longest among those with as many in progress", () => {
    const { admission, acquire, enqueue, started } = setUp();
    acquire("c", 3);
    acquire("d", 3);
    enqueue("a");
    enqueue("b");
    admission.release("c");
    expect(started).toEqual(["a"]);
  });
});

const FEW = { inProgressMax: 2, inProgressOfTenantMax: 1, waitingMax: 2, waitingOfTenantMax: 1 };
const refusal = (exhausted: string) => new ApiError("rate_limited", exhausted);

describe("an in-flight limit", () => {
  test("gives a free slot at once, and a released slot to the request that waits", async () => {
    const acquire = inFlightLimit({ ...FEW, waitMsMax: 60_000 }, refusal);
    const client = new Socket();
    const release = acquire("a", client);
    if (release instanceof Promise) throw new Error("it waits");
    let hasStarted = false;
    const second = Promise.resolve(acquire("a", client)).then((next) => {
      hasStarted = true;
      return next;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasStarted).toBe(false);
    release();
    release();
    (await second)();
    expect(acquire("a", client)).toBeInstanceOf(Function);
    expect(client.listenerCount("close")).toBe(0);
  });

  test("refuses at once if the queue is full, and after waitMsMax if no slot is released", async () => {
    const acquire = inFlightLimit({ ...FEW, waitMsMax: 50 }, refusal);
    const client = new Socket();
    await acquire("a", client);
    const waiting = acquire("a", client);
    await expect(acquire("a", client)).rejects.toThrow("tenant");
    await expect(waiting).rejects.toThrow("tenant");
    await acquire("b", client);
    await expect(acquire("c", client)).rejects.toThrow("all");
  });

  test("stops waiting when the client disconnects", async () => {
    const acquire = inFlightLimit({ ...FEW, waitMsMax: 60_000 }, refusal);
    const [client, other] = [new Socket(), new Socket()];
    const release = await acquire("a", client);
    const waiting = acquire("a", other);
    other.destroy();
    await expect(waiting).rejects.toMatchObject({ code: "bad_request" });
    await expect(acquire("a", other)).rejects.toMatchObject({ code: "bad_request" });
    const next = acquire("a", client);
    release();
    expect(await next).toBeInstanceOf(Function);
  });
});
