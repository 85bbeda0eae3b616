import { expect, test } from "@jest/globals";
import { NO_ADDRESS } from "../../format/address.ts";
import { bodyOf, EMPTY_DRAFT, lineFieldName, withLine } from "./draft.ts";

test("sends what was typed, and leaves out what is empty", () => {
  const line = { key: 4, sku: " A-1", name: "Mug", quantity: "2", unitPrice: "0,10", taxAmount: "" };
  const draft = { ...EMPTY_DRAFT, lines: [line], taxTotal: "0" };
  const shipping = { ...NO_ADDRESS, line1: "1 Quay" };
  expect(bodyOf(draft, { customerId: "c", currency: "EUR", shipping, billing: NO_ADDRESS })).toEqual({
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
