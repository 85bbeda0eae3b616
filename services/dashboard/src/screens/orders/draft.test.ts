import { textsOf } from "../../format/address.ts";
import { bodyOf, changedLine, EMPTY_DRAFT, notesIn, soldIn, withLine, withSold } from "./draft.ts";

test("sends what was typed, and leaves out what is empty", () => {
  const line = { key: 4, sku: " A-1", name: "Mug", quantity: "2", unitPrice: "0,10", taxAmount: "" };
  const draft = { ...EMPTY_DRAFT, lines: [line], taxTotal: "0" };
  const billing = textsOf(undefined);
  const shipping = { ...billing, line1: "1 Quay" };
  const form = new FormData();
  for (const [name, text] of Object.entries({ channel: "pos", customerNote: " Ring. ", externalId: " " }))
    form.set(name, text);
  const choices = { customerId: "c", currency: "EUR", shipping, billing, ...notesIn(form) };
  expect(bodyOf(draft, choices)).toEqual({
    customerId: "c",
    customerNote: "Ring.",
    items: [{ sku: "A-1", name: "Mug", quantity: 2, unitPrice: 0.1 }],
    currency: "EUR",
    channel: "pos",
    taxTotal: 0,
    shippingAddress: { line1: "1 Quay", city: "" },
  });
});

test("a new line differs from the others, also after one was removed", () => {
  const [first, second] = withLine(EMPTY_DRAFT.lines);
  const again = withLine(second ? [second] : []);
  expect([first?.key, ...again.map(({ key }) => key)]).toEqual([0, 1, 2]);
  expect(withLine([])).toHaveLength(1);
});

const item = (sku: string, quantity: number, unitPrice: number, taxAmount = 0) =>
  ({ sku, name: `A ${sku}`, quantity, unitPrice, taxAmount }) as never;

test("what is sold most often comes first, with its latest price", () => {
  const sold = soldIn([
    { currency: "EUR", items: [item("MUG", 2, 20, 7.6)] },
    { currency: "JPY", items: [item("TEA", 1, 900), item("POT", 1, 64)] },
    { currency: "EUR", items: [item("MUG", 1, 18), item("TEA", 1, 8)] },
  ]);
  expect(sold).toMatchObject([
    { sku: "MUG", name: "A MUG", unitPrice: 20, pieceTax: 3.8, currency: "EUR" },
    { sku: "TEA", unitPrice: 900, currency: "JPY" },
    { sku: "POT" },
  ]);
});

test("a suggestion fills the empty line, then counts, and its tax follows the quantity until it is typed", () => {
  const mug = { sku: "MUG", name: "Mug", unitPrice: 20, pieceTax: 3.8, currency: "EUR" };
  const tea = { sku: "TEA", name: "Tea", unitPrice: 900, pieceTax: 0, currency: "JPY" };
  const [one] = withSold(EMPTY_DRAFT.lines, mug, "EUR");
  expect(one).toMatchObject({ sku: "MUG", quantity: "1", unitPrice: "20.00", taxAmount: "3.80" });
  const [two, other] = withSold(withSold(one ? [one] : [], mug, "EUR"), tea, "EUR");
  expect(two).toMatchObject({ quantity: "2", taxAmount: "7.60" });
  expect(other).toMatchObject({ sku: "TEA", unitPrice: "", taxAmount: "" });
  if (two === undefined) return;
  const typed = changedLine(two, { taxAmount: "5" }, "EUR");
  expect(changedLine(typed, { quantity: "9" }, "EUR").taxAmount).toBe("5");
  expect(changedLine(two, { quantity: "" }, "EUR").taxAmount).toBe("");
});

test("a price with more decimals than the currency is not rounded", () => {
  const exact = { sku: "A", name: "A", unitPrice: 3.1234, pieceTax: 0, currency: "EUR" };
  expect(withSold(EMPTY_DRAFT.lines, exact, "EUR")[0]?.unitPrice).toBe("3.1234");
});
