import { queryOf } from "./search.ts";

test("the last day belongs to the list", () => {
  const { placedAfter = "", placedBefore = "" } = queryOf({ from: "2026-07-01", to: "2026-07-01" });
  expect(Date.parse(placedBefore) - Date.parse(placedAfter)).toBe(24 * 3_600_000);
  expect(queryOf({ status: "placed", payment: "failed", search: "m" })).toEqual({
    status: ["placed"],
    paymentStatus: ["failed"],
  });
  expect(queryOf({ tab: "deliver", search: "Müller" })).toEqual({ status: ["fulfilled"], search: "Müller" });
});

test("an order that is partly paid is unpaid, and not shipped", () => {
  const tabs = (["ship", "fulfill", "unpaid", "failed", "done"] as const).filter((tab) =>
    queryOf({ tab }).paymentStatus?.includes("partially_paid"),
  );
  expect(tabs).toEqual(["fulfill", "unpaid"]);
});
