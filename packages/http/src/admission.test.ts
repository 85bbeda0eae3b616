// Who may begin, who waits, and who is next.
import { describe, expect, test } from "@jest/globals";
import { createAdmission } from "./admission.ts";

const LIMITS = { inProgressMax: 6, inProgressOfTenantMax: 3, waitingMax: 5, waitingOfTenantMax: 4 };

function start(limits = LIMITS) {
  const admission = createAdmission(limits);
  const begun: string[] = [];
  return {
    admission,
    begun,
    enter: (tenantId: string, count: number) =>
      Array.from({ length: count }, () => admission.enter(tenantId)).filter(Boolean).length,
    wait: (tenantId: string, name = tenantId) => {
      const waiting = { tenantId, begin: () => void begun.push(name) };
      return admission.wait(waiting) ? waiting : null;
    },
  };
}

describe("admission", () => {
  test("lets a tenant in up to its own limit", () => {
    const { admission, enter } = start();
    expect(enter("a", 10)).toBe(3);
    expect(admission.exhausted("a")).toBe("tenant");
    expect(enter("b", 1)).toBe(1);
  });

  test("lets all tenants in up to the limit of all", () => {
    const { admission, enter } = start();
    expect([enter("a", 3), enter("b", 2), enter("c", 3)]).toEqual([3, 2, 1]);
    expect(admission.exhausted("c")).toBe("all");
  });

  test("begins those who wait in their order as places become free", () => {
    const { admission, begun, enter, wait } = start();
    enter("a", 3);
    wait("a", "first");
    wait("a", "second");
    admission.leave("a");
    expect(begun).toEqual(["first"]);
    expect(admission.enter("a")).toBe(false);
    admission.leave("a");
    expect(begun).toEqual(["first", "second"]);
  });

  test("prefers the tenant with the fewest in progress, and passes over one at its limit", () => {
    const { admission, begun, enter, wait } = start();
    enter("a", 3);
    enter("b", 3);
    for (const tenantId of ["a", "b", "c", "c"]) wait(tenantId);
    admission.leave("b");
    expect(begun).toEqual(["c"]);
    admission.leave("a");
    expect(begun).toEqual(["c", "c"]);
    admission.leave("b");
    expect(begun).toEqual(["c", "c", "b"]);
  });

  test("bounds the queue of one tenant and of all", () => {
    const { enter, wait } = start();
    enter("a", 3);
    enter("b", 3);
    expect(["a", "a", "a", "a", "a"].map((tenantId) => wait(tenantId) !== null)).toEqual([
      ...Array(4).fill(true),
      false,
    ]);
    expect([wait("b"), wait("b")].map((waiting) => waiting !== null)).toEqual([true, false]);
  });

  test("never begins one that was withdrawn, and gives its room in the queue to another", () => {
    const { admission, begun, enter, wait } = start({ ...LIMITS, waitingOfTenantMax: 1 });
    enter("a", 3);
    const gone = wait("a", "gone");
    if (gone !== null) admission.withdraw(gone);
    if (gone !== null) admission.withdraw(gone);
    wait("a", "next");
    admission.leave("a");
    admission.leave("a");
    expect(begun).toEqual(["next"]);
    expect(enter("a", 3)).toBe(1);
  });
});
