import { readCsv } from "../../format/csv.ts";
import { EXAMPLE_CSV, faultsOf, guessMapping } from "./import-columns.ts";
import { customersOf, nameOf, ordersOf } from "./import-rows.ts";

const read = (text: string) => {
  const csv = readCsv(text);
  if (csv === null) throw new Error("no CSV");
  return csv;
};

const ordersIn = (...lines: string[]) => {
  const csv = read(lines.join("\n"));
  return ordersOf(csv, guessMapping(csv.columns), "EUR");
};
const faultsIn = (...lines: string[]) => ordersIn(...lines).map(({ refusal }) => refusal?.details);

test("the example is mapped by itself, and is one order with two items", () => {
  const csv = read(EXAMPLE_CSV);
  const mapping = guessMapping(csv.columns);
  expect(mapping).not.toContain(null);
  expect(faultsOf(mapping)).toEqual([]);
  const orders = ordersOf(csv, mapping, "EUR");
  expect(orders).toHaveLength(1);
  expect(orders[0]?.order).toMatchObject({
    items: [{ name: "Mug, blue", unitPrice: 19.99 }, { quantity: 1 }],
  });
});

test("rows of one order become its lines, and its first row may have what belongs to it", () => {
  const [first, second] = ordersIn(
    "Name;Email;Lineitem sku;Lineitem name;Lineitem quantity;Lineitem price;Shipping;Shipping City;Shipping Street",
    "#1001;ada@shop.example;M-1;Mug;2;19,99;4,50;Lisbon;1 Quay",
    "#1001;;P-1;Plate;1;7;;;",
    "#1002;grace@shop.example;M-1;Mug;3;1.234,50;;;",
  );
  expect(first).toMatchObject({
    name: "#1001",
    customer: { by: "email", value: "ada@shop.example" },
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
  expect(second?.order).toMatchObject({ items: [{ quantity: 3, unitPrice: 1234.5 }] });
  expect(second?.order).not.toHaveProperty("shippingAddress");
});

test("without ids each row is an order, named by its line", () => {
  const orders = ordersIn("customerId,sku,item,quantity,price", "c1,A,a,1,2", "c1,B,b,1,2");
  expect(orders.map(({ name, customer }) => [name, customer])).toEqual([
    ["Line 2", undefined],
    ["Line 3", undefined],
  ]);
});

test("a customer is known by the external id rather than by the e-mail address", () => {
  const orders = ordersIn(
    "customerNumber,email,customerName,sku,item,quantity,price",
    "c-7,a@b.example,Ada,A,a,1,2",
  );
  expect(customersOf(orders)).toEqual([
    {
      by: "externalId",
      value: "c-7",
      known: { name: "Ada", email: "a@b.example", externalId: "c-7" },
      contradiction: undefined,
    },
  ]);
});

test("blanks around a value and the case of an e-mail address make no other customer or order", () => {
  const orders = ordersIn(
    "Order ID;Email;SKU;Qty;Price",
    "B-1;ada@shop.example;M-1;2;7",
    "B-1 ; Ada@Shop.Example\u00a0;P-1;1;7",
    "B-2;ADA@shop.example ;M-1;1;7",
  );
  expect(orders.map(({ name, customer }) => [name, customer?.value])).toEqual([
    ["B-1", "ada@shop.example"],
    ["B-2", "ada@shop.example"],
  ]);
});

test("an order is refused if its rows contradict each other, with the columns and the lines", () => {
  const [order] = ordersIn(
    "externalId,customerEmail,currency,sku,itemName,quantity,unitPrice",
    "x-9,ada@example.com,EUR,M-1,Cup,2,9.50",
    "x-9,bob@example.com,JPY,M-2,Plate,1,700",
  );
  expect(order?.rows).toHaveLength(2);
  expect(order?.refusal?.details).toEqual([
    {
      path: "customerEmail",
      message: "column “customerEmail” has “ada@example.com” in line 2 and “bob@example.com” in line 3",
    },
    { path: "currency", message: "column “currency” has “EUR” in line 2 and “JPY” in line 3" },
  ]);
});

test.each([
  "orderNumber",
  "customerId",
  "customerNumber",
  "customerName",
  "shipping",
  "discount",
  "taxTotal",
  "note",
  "internalNote",
  "Shipping name",
  "Shipping street",
  "Shipping zip",
  "Shipping country",
])("rows of one order must agree on %s", (column) => {
  const faults = faultsIn(
    `externalId,sku,item,quantity,price,${column}`,
    "a,M,m,1,2,4",
    "a,M,m,1,2,",
    "a,M,m,1,2,5",
  );
  expect(faults).toMatchObject([[{ message: `column “${column}” has “4” in line 2 and “5” in line 4` }]]);
});

test("two external ids with one order number are a contradiction, also where a third row connects them", () => {
  const faults = faultsIn(
    "orderNumber,externalId,email,sku,item,quantity,price",
    "7,,a@b.example,M,m,1,2",
    ",x,a@b.example,M,m,1,2",
    "8,y,a@b.example,M,m,1,2",
    "7,x,a@b.example,M,m,1,2",
    "8,z,a@b.example,M,m,1,2",
  );
  expect(faults).toEqual([
    undefined,
    [{ path: "externalId", message: "column “externalId” has “y” in line 4 and “z” in line 6" }],
  ]);
});

test("spellings of one value agree", () => {
  const faults = faultsIn(
    "externalId;email;customerName;currency;shipping;sku;item;quantity;price",
    "a;ada@b.example;Ada  Holm;EUR;1.234,50;M;m;1;2",
    "a;Ada@B.example;ADA Holm;eur;1234.5;N;n;1;3",
  );
  expect(faults).toEqual([undefined]);
});

test("a few of many values are named, and a part of a long one", () => {
  const rows = ["1", "2", "3", "4", "5".repeat(100)].map((note) => `a,M,m,1,2,${note}`);
  expect(faultsIn("externalId,sku,item,quantity,price,note", ...rows)[0]?.[0]?.message).toBe(
    "column “note” has “1” in line 2, “2” in line 3, “3” in line 4 and 2 more",
  );
  const long = faultsIn(
    "externalId,sku,item,quantity,price,note",
    `a,M,m,1,2,${"n".repeat(100)}`,
    "a,M,m,1,2,b",
  );
  expect(long[0]?.[0]?.message).toContain(`“${"n".repeat(60)}…” in line 2`);
});

test.each(["externalId", "orderNumber", "customerId", "customerNumber", "sku"])(
  "a %s that a spreadsheet has shortened is refused",
  (column) => {
    const faults = faultsIn(
      `${column};email;${column === "sku" ? "note" : "sku"};item;quantity;price`,
      "1,23457E+15;a@b.example;4711;m;1;2",
    );
    const message = `column “${column}” has “1,23457E+15” in line 2, which a spreadsheet has shortened: format the column as text and export it again`;
    expect(faults).toMatchObject([[{ message }]]);
  },
);

test("a number that cannot be read is refused with its line", () => {
  const faults = faultsIn(
    "externalId;email;sku;item;quantity;price;shipping",
    "a;a@b.example;M;m;many;1.5,2;",
    "b;a@b.example;M;m;1;2;1,234",
  );
  expect(faults.map((details) => details?.map(({ message }) => message))).toEqual([
    [
      "column “quantity” has “many” in line 2, which is not a number",
      "column “price” has “1.5,2” in line 2, which is not a number",
    ],
    ["column “shipping” has “1,234” in line 3, which may be 1234 or 1.234"],
  ]);
});

test("a customer that orders describe differently cannot be created", () => {
  const customers = customersOf(
    ordersIn(
      "externalId,customerNumber,email,customerName,shippingName,sku,item,quantity,price",
      "a,,ada@b.example,,To Ada,M,m,1,2",
      "b,,Ada@b.example,Ada,To Bob,M,m,1,2",
      "c,,ada@b.example,ada,,M,m,1,2",
      "d,7,x@b.example,X,,M,m,1,2",
      "e,7,y@b.example,,,M,m,1,2",
      "f,8,z@b.example,Z,,M,m,1,2",
      "f,8,z@b.example,Q,,M,m,1,2",
    ),
  );
  expect(customers.map(nameOf)).toEqual(["e-mail address ada@b.example", "external id 7"]);
  expect(customers).toEqual([
    {
      by: "email",
      value: "ada@b.example",
      known: { name: "Ada", email: "ada@b.example" },
      contradiction: undefined,
    },
    {
      by: "externalId",
      value: "7",
      known: { name: "X", email: "x@b.example", externalId: "7" },
      contradiction: "column “email” has “x@b.example” in line 5 and “y@b.example” in line 6",
    },
  ]);
});

test("dates, payments, statuses, phones and countries become what the platform knows", () => {
  const orders = ordersIn(
    "Bestellnummer;Datum;Zahlung;Status;E-Mail;Telefon;SKU;Artikel;Menge;Preis;Land",
    "1;2026-09-05T10:00:00Z;bezahlt;geliefert;a@b.example;+49 1;M;m;1;2;Deutschland",
    "2;;bezahlt;storniert;a@b.example;+49 1;M;m;1;2;Elbonia",
    "3;;erstattet;;a@b.example;+49 1;M;m;1;2;",
    "4;31.2.2026;;;a@b.example;+49 1;M;m;1;2;",
  );
  expect(orders.map(({ steps }) => steps)).toEqual([
    ["recordPayment", "fulfillOrder", "deliverOrder"],
    ["recordPayment", "refundOrder", "cancelOrder"],
    ["recordPayment", "refundOrder"],
    [],
  ]);
  expect(orders.map(({ order }) => order)).toMatchObject([
    { placedAt: "2026-09-05T10:00:00.000Z", shippingAddress: { country: "DE" } },
    { shippingAddress: { country: "Elbonia" } },
    {},
    {},
  ]);
  expect(orders[3]?.refusal?.details).toEqual([
    { path: "placedAt", message: "column “Datum” has “31.2.2026” in line 5, which is not a date" },
  ]);
  expect(customersOf(orders)).toMatchObject([{ known: { phone: "+49 1" } }]);
});
