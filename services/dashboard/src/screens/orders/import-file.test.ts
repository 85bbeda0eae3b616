import { expect, test } from "@jest/globals";
import { itemsOf, partsOf, readOrders } from "./import-file.ts";

const A = { customerId: "a", items: [] };
const B = { customerId: "b", items: [] };

test.each([
  ["an array", JSON.stringify([A, B], null, 2)],
  ["an object with orders", JSON.stringify({ orders: [A, B] })],
  ["lines that end with CR", `${JSON.stringify(A)}\r${JSON.stringify(B)}\r`],
  ["JSON Lines", `${JSON.stringify(A)}\r\n\n${JSON.stringify(B)}\n`],
])("reads %s", (_, text) => {
  expect(readOrders(text)).toEqual({ orders: [A, B] });
});

test("a file with a single line is an order", () => {
  expect(readOrders(JSON.stringify(A))).toEqual({ orders: [A] });
});

test.each([
  ["", "The file is empty."],
  ["[]", "The file has no orders."],
  ['{"a":1}', "The file has no list of orders."],
  ["null", "The file has no list of orders."],
  [`${JSON.stringify(A)}\n\nsku,name`, "line 3 is not JSON"],
])("says why it cannot read %j", (text, fault) => {
  expect(readOrders(text)).toEqual({ fault: expect.stringContaining(fault) });
});

test("an order is named by its own id, or by its place", () => {
  const orders = [{ externalId: "web-1", orderNumber: "7" }, { orderNumber: "8" }, A, null, 5];
  expect(itemsOf(orders).map(({ name }) => name)).toEqual(["web-1", "8", "No. 3", "No. 4", "No. 5"]);
});

test("orders that share an id, or have one that a spreadsheet has shortened, are refused", () => {
  const orders = [
    { externalId: "a", channel: "import" },
    { externalId: "a", channel: "import" },
    { externalId: "a", channel: "admin", orderNumber: "7" },
    { externalId: "b", orderNumber: "7" },
    { externalId: "1.23457E+15" },
  ];
  expect(itemsOf(orders).map(({ refusal }) => refusal?.details)).toEqual([
    [{ path: "externalId", message: "another order of the file has “a”" }],
    [{ path: "externalId", message: "another order of the file has “a”" }],
    [{ path: "orderNumber", message: "another order of the file has “7”" }],
    [{ path: "orderNumber", message: "another order of the file has “7”" }],
    [{ path: "externalId", message: "“1.23457E+15” is a number that a spreadsheet has shortened" }],
  ]);
});

test("sends at most 100 orders together, fewer if they are large", () => {
  const sizes = (orders: unknown[]) => partsOf(itemsOf(orders)).map(({ items }) => items.length);
  expect(sizes(Array.from({ length: 250 }, () => A))).toEqual([100, 100, 50]);
  expect(sizes(Array.from({ length: 5 }, () => "x".repeat(200_000)))).toEqual([2, 2, 1]);
  expect(sizes([])).toEqual([]);
});
