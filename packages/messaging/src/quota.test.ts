import { outboxRow } from "./outbox.ts";
import { admit, withoutQuota } from "./quota.ts";

test("an event needs a cause that was admitted, or that no quota stops", () => {
  const actor = { type: "user", id: "u", name: "Ada" };
  const principal = { tenantId: "t", actor, passedQuotas: ["mediaBytes"] };
  const cause = { requestId: "r", traceparent: "00", principal };
  // @ts-expect-error It was not admitted.
  outboxRow("order.placed", "o", {}, cause);
  const refusal = { code: "quota_exceeded", status: 409, extra: { quota: "mediaBytes" } };
  expect(() => admit(cause, "mediaBytes")).toThrow(expect.objectContaining(refusal));
  expect(outboxRow("order.erased", "o", {}, withoutQuota(cause)).tenant_id).toBe("t");
  admit(cause, "eventBytes");
  outboxRow("order.placed", "o", {}, cause);
});
