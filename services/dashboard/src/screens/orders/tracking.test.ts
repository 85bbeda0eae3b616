import { readTracking, repeatedNumber } from "./tracking.ts";

const ORDERS = [
  { id: "a", orderNumber: "1001" },
  { id: "b", orderNumber: "1002", externalId: "Web-7" },
];

test.each([
  [
    "the names of the columns say what they are",
    "Sendungsnummer;Bestellnr.;Versandart\n1Z9;#1001;DHL\n1Z8;web-7;",
  ],
  ["without names, the sequence does", "1001,1Z9,DHL\r\n1002,1Z8"],
])("%s", (_, text) => {
  const read = readTracking(text, ORDERS);
  expect(read).toEqual({
    parcels: new Map([
      ["a", { trackingNumber: "1Z9", carrier: "DHL" }],
      ["b", { trackingNumber: "1Z8" }],
    ]),
    others: [],
  });
});

test("orders that are not selected are named, and empty numbers skipped", () => {
  const read = readTracking("order,tracking\n1001,\n1999,1Z7", ORDERS);
  expect(read).toEqual({ parcels: new Map(), others: ["1999"] });
});

test("a file without columns is refused", () => {
  expect(readTracking("1001 1Z9", ORDERS)).toEqual({
    fault: "The file needs two columns: order number and tracking number.",
  });
  expect(readTracking('1001,"1Z9\n', ORDERS)).toHaveProperty("fault");
});

test("a number that is scanned twice is pointed out", () => {
  const typed = (...texts: string[]) =>
    texts.map((text, index) => ({ orderNumber: String(1001 + index), text }));
  expect(repeatedNumber(typed("1Z9", "", "1Z9", ""))).toBe("1Z9 is entered for the orders 1001 and 1003");
  expect(repeatedNumber(typed("1Z9", "", ""))).toBeUndefined();
});
