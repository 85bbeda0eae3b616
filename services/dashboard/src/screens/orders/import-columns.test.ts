import { expect, test } from "@jest/globals";
import { readCsv } from "./csv.ts";
import { EXAMPLE_CSV, faultsOf, guessMapping, numberOf, ordersOf, placeOf } from "./import-columns.ts";

const read = (text: string) => {
  const csv = readCsv(text);
  if (csv === null) throw new Error("no CSV");
  return csv;
};
const EUR = { currency: "EUR" };

test("the export of a shop is mapped by itself", () => {
  const columns =
    "id,orderNumber,externalId,createdAt,status,customerId,customerName,customerEmail,currency,sku,name,quantity,unitPrice,lineSubtotal,lineTax,shippingTotal,discountTotal,taxTotal,total".split(
      ",",
    );
  const mapping = guessMapping(columns);
  const mapped = columns.flatMap((column, index) => (mapping[index] ? [`${column} ${mapping[index]}`] : []));
  expect(mapped).toEqual([
    "orderNumber orderNumber",
    "externalId externalId",
    "customerId customerId",
    "customerName customerName",
    "customerEmail customerEmail",
    "currency currency",
    "sku sku",
    "name name",
    "quantity quantity",
    "unitPrice unitPrice",
    "lineTax taxAmount",
    "shippingTotal shippingTotal",
    "discountTotal discountTotal",
    "taxTotal taxTotal",
  ]);
  expect(faultsOf(mapping)).toEqual([]);
});

test("the example is mapped by itself, and is one order with two items", () => {
  const csv = read(EXAMPLE_CSV);
  const mapping = guessMapping(csv.columns);
  expect(mapping).not.toContain(null);
  expect(faultsOf(mapping)).toEqual([]);
  const orders = ordersOf(csv, mapping, EUR);
  expect(orders).toHaveLength(1);
  expect(orders[0]?.order).toMatchObject({
    items: [{ name: "Mug, blue", unitPrice: 19.99 }, { quantity: 1 }],
  });
});

test("a fault is at what the column contains", () => {
  expect(placeOf("items[0].quantity", 1)).toBe("Quantity");
  expect(placeOf("items[1].quantity", 2)).toBe("Quantity, item 2");
  expect(placeOf("shippingAddress.country", 2)).toBe("Ship to: country");
  expect(placeOf("items", 1)).toBe("items");
});

test("rows of one order become its lines, and its first row may have what belongs to it", () => {
  const csv = read(
    [
      "Name;Email;Lineitem sku;Lineitem name;Lineitem quantity;Lineitem price;Shipping;Shipping City;Shipping Street",
      "#1001;ada@shop.example;M-1;Mug;2;19,99;4,50;Lisbon;1 Quay",
      "#1001;;P-1;Plate;1;7;;;",
      "#1002;grace@shop.example;M-1;Mug;many;1.234,50;;;",
    ].join("\n"),
  );
  const [first, second] = ordersOf(csv, guessMapping(csv.columns), EUR);
  expect(first).toMatchObject({
    name: "#1001",
    customer: {
      by: "email",
      value: "ada@shop.example",
      known: { name: "ada@shop.example", email: "ada@shop.example" },
    },
    order: {
      externalId: "#1001",
      channel: "import",
      currency: "EUR",
      shippingTotal: 4.5,
      shippingAddress: { line1: "1 Quay", city: "Lisbon" },
      items: [
        { sku: "M-1", name: "Mug", quantity: 2, unitPrice: 19.99 },
        { sku: "P-1", name: "Plate", quantity: 1, unitPrice: 7 },
      ],
    },
  });
  expect(first?.rows).toHaveLength(2);
  expect(second?.order).toMatchObject({ items: [{ quantity: "many", unitPrice: 1234.5 }] });
  expect(second?.order).not.toHaveProperty("shippingAddress");
});

test("without ids each row is an order, named by its line", () => {
  const csv = read("customerId,sku,item,quantity,price\nc1,A,a,1,2\nc1,B,b,1,2");
  const orders = ordersOf(csv, guessMapping(csv.columns), EUR);
  expect(orders.map(({ name, customer }) => [name, customer])).toEqual([
    ["Line 2", undefined],
    ["Line 3", undefined],
  ]);
});

test("a customer is known by the external id rather than by the e-mail address", () => {
  const csv = read("customerNumber,email,customerName,sku,item,quantity,price\nc-7,a@b.example,Ada,A,a,1,2");
  expect(ordersOf(csv, guessMapping(csv.columns), EUR)[0]?.customer).toEqual({
    by: "externalId",
    value: "c-7",
    known: { name: "Ada", email: "a@b.example", externalId: "c-7" },
  });
});

test("says which columns are missing", () => {
  expect(faultsOf(guessMapping(["sku", "price"]))).toEqual([
    "No column says who the customer is.",
    "No column is “Item”.",
    "No column is “Quantity”.",
  ]);
});

test.each([
  ["19.99", 19.99],
  ["19,99", 19.99],
  ["1,234.50", 1234.5],
  ["1 234,50", 1234.5],
  ["-3", -3],
  ["0.125", 0.125],
  ["1,234", "1,234"],
  ["1.234", "1.234"],
  ["1.2345", 1.2345],
  ["EUR 5", "EUR 5"],
])("reads %s as %s", (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test("reads three decimals where the currency has them", () => {
  expect(numberOf("1.234", { decimalsMax: 3 })).toBe(1.234);
});

test("blanks around a value and the case of an e-mail address make no other customer or order", () => {
  const rows = [
    "B-1;ada@shop.example;M-1;2;7",
    "B-1 ; Ada@Shop.Example\u00a0;P-1;1;7",
    "B-2;ADA@shop.example ;M-1;1;7",
  ];
  const csv = read(["Order ID;Email;SKU;Qty;Price", ...rows].join("\n"));
  const orders = ordersOf(csv, guessMapping(csv.columns), EUR);
  expect(orders.map(({ name, customer }) => [name, customer?.value])).toEqual([
    ["B-1", "ada@shop.example"],
    ["B-2", "ada@shop.example"],
  ]);
});
