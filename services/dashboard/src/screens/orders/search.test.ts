import { expect, test } from "@jest/globals";
import { ordersSearch, placeOrderSearch, queryOf } from "./search.ts";

test("drops what is not a filter", () => {
  expect(
    ordersSearch({
      status: "lost",
      payment: "paid",
      channel: 7,
      search: 1001,
      from: "2026-02-30",
      to: "2026-02-28",
    }),
  ).toEqual({ payment: "paid", search: "1001", to: "2026-02-28" });
  expect(ordersSearch({ status: "constructor", from: "0000-01-01", customer: "a@b.example" })).toEqual({});
  expect(ordersSearch({ tab: "unpaid", status: "placed", payment: "paid" })).toEqual({ tab: "unpaid" });
  expect(placeOrderSearch({ customerId: "x" })).toEqual({});
});

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
