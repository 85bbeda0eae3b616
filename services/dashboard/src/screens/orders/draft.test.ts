import { expect, test } from "@jest/globals";
import { NO_ADDRESS } from "./address.ts";
import { bodyOf, EMPTY_DRAFT, lineFieldName, shownCurrency, withLine } from "./draft.ts";

test("sends what was typed, and leaves out what is empty", () => {
  const line = { key: 4, sku: " A-1", name: "Mug", quantity: "2", unitPrice: "0.10", taxAmount: "" };
  const draft = { ...EMPTY_DRAFT, lines: [line], currency: "eur", taxTotal: "0" };
  expect(bodyOf(draft, "c", { ...NO_ADDRESS, line1: "1 Quay" }, NO_ADDRESS)).toEqual({
    customerId: "c",
    items: [{ sku: "A-1", name: "Mug", quantity: 2, unitPrice: 0.1 }],
    currency: "EUR",
    channel: "admin",
    taxTotal: 0,
    shippingAddress: { line1: "1 Quay", city: "" },
  });
});

test("a new line differs from the others, also after one was removed", () => {
  const [first, second] = withLine(EMPTY_DRAFT).lines;
  const again = withLine({ ...EMPTY_DRAFT, lines: second ? [second] : [] });
  expect([first?.key, ...again.lines.map(({ key }) => key)]).toEqual([0, 1, 2]);
  expect(withLine({ ...EMPTY_DRAFT, lines: [] }).lines).toHaveLength(1);
  expect(lineFieldName(1, "quantity")).toBe("items[1].quantity");
});

test("amounts are shown while the currency is typed", () => {
  expect(["", "eu", "eur", "e€r"].map((currency) => shownCurrency({ ...EMPTY_DRAFT, currency }))).toEqual([
    "XXX",
    "XXX",
    "EUR",
    "XXX",
  ]);
});
