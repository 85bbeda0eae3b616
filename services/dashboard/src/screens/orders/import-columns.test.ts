import { expect, test } from "@jest/globals";
import { faultsOf, guessMapping, placeOf } from "./import-columns.ts";

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

test("a fault is at what the column contains", () => {
  expect(placeOf("items[0].quantity", 1)).toBe("Quantity");
  expect(placeOf("items[1].quantity", 2)).toBe("Quantity, item 2");
  expect(placeOf("shippingAddress.country", 2)).toBe("Ship to: country");
  expect(placeOf("items", 1)).toBe("items");
});

test("says which columns are missing", () => {
  expect(faultsOf(guessMapping(["sku", "price"]))).toEqual([
    "No column says who the customer is.",
    "No column is “Item”.",
    "No column is “Quantity”.",
  ]);
});

test.each([
  ["email,customerEmail", [null, "customerEmail"]],
  ["Number;Order number", [null, "orderNumber"]],
  ["price,unitPrice,Item price,Quantity price", [null, "unitPrice", null, null]],
  ["Amount,Quantity", [null, "quantity"]],
  ["Amount,Total,Subtotal,Preis pro Stück", [null, null, null, null]],
  ["Lineitem price,Lineitem quantity", ["unitPrice", "quantity"]],
  ["Item price,Item quantity,Item", ["unitPrice", "quantity", "name"]],
  ["Name,Lineitem name", ["externalId", "name"]],
  ["Name,Lineitem name,Order ID", [null, "name", "externalId"]],
  ["Name,Product", [null, "name"]],
  ["Product,Item,Title,Item name", [null, null, null, "name"]],
  ["Qty,qty.", [null, null]],
  ["Ship to: city,SHIPPING_ADDRESS.COUNTRY", ["shippingAddress.city", "shippingAddress.country"]],
])("%s: the clearest name counts, and one of two same names does not", (columns, mapping) => {
  expect(guessMapping(columns.split(/[,;]/))).toEqual(mapping);
});
