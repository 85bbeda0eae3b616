// The columns of a CSV file, and the parts of an order that they contain. Pure.

interface Target {
  readonly text: string;
  /** The names under which other systems know it, in small letters and digits only, the clearest first. */
  readonly names: readonly string[];
}

export const TARGETS = {
  externalId: { text: "External id of the order", names: ["externalid", "orderid", "ordernr"] },
  orderNumber: { text: "Order number", names: ["ordernumber", "number"] },
  customerId: { text: "Customer id", names: ["customerid"] },
  customerExternalId: {
    text: "External id of the customer",
    names: ["customerexternalid", "customernumber", "customernr"],
  },
  customerEmail: { text: "E-mail of the customer", names: ["customeremail", "email"] },
  customerName: { text: "Name of the customer", names: ["customername", "customer", "billingname"] },
  currency: { text: "Currency", names: ["currency", "currencycode"] },
  sku: { text: "SKU", names: ["sku", "lineitemsku", "articlenumber", "itemsku"] },
  name: {
    text: "Item",
    // `name` may be a person, next to a column for the product.
    names: ["itemname", "lineitemname", "productname", "product", "name", "item", "title"],
  },
  quantity: { text: "Quantity", names: ["quantity", "qty", "lineitemquantity", "itemquantity", "count"] },
  unitPrice: { text: "Unit price", names: ["unitprice", "lineitemprice", "itemprice", "price"] },
  taxAmount: { text: "Tax of the line", names: ["linetax", "taxamount"] },
  shippingTotal: { text: "Shipping", names: ["shippingtotal", "shipping", "shippingcost"] },
  discountTotal: { text: "Discount", names: ["discounttotal", "discountamount", "discount"] },
  taxTotal: { text: "Tax of the order", names: ["taxtotal", "taxes", "tax"] },
  customerNote: { text: "Customer’s note", names: ["customernote", "notes", "note"] },
  internalNote: { text: "Internal note", names: ["internalnote"] },
  "shippingAddress.name": { text: "Ship to: name", names: ["shippingname"] },
  "shippingAddress.line1": {
    text: "Ship to: street",
    names: ["shippingaddress1", "shippingstreet", "shippingline1"],
  },
  "shippingAddress.line2": { text: "Ship to: second line", names: ["shippingaddress2", "shippingline2"] },
  "shippingAddress.postalCode": {
    text: "Ship to: postal code",
    names: ["shippingzip", "shippingpostalcode"],
  },
  "shippingAddress.city": { text: "Ship to: city", names: ["shippingcity"] },
  "shippingAddress.region": { text: "Ship to: region", names: ["shippingprovince", "shippingregion"] },
  "shippingAddress.country": { text: "Ship to: country", names: ["shippingcountry"] },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;

/** The target of each column; null for a column that is not imported. */
export type Mapping = readonly (TargetName | null)[];

const NAMES = Object.keys(TARGETS) as TargetName[];

/** A file that has what an order needs, with names that are understood. */
export const EXAMPLE_CSV = [
  "externalId,customerEmail,customerName,currency,sku,itemName,quantity,unitPrice",
  'old-17,ada@example.com,Ada Holm,EUR,MUG-BLUE,"Mug, blue",3,19.99',
  "old-17,ada@example.com,Ada Holm,EUR,PLATE-1,Plate,1,7.50",
].join("\r\n");

/**
 * Says where in the file a fault is: for `items[1].quantity`, `Quantity, item 2` if the order has several rows. Returns the path
 * itself if no column contains it.
 */
export function placeOf(path: string, rowCount: number): string {
  const [, index, name = path] = /^(?:items\[(\d+)\]\.)?(.+)$/.exec(path) ?? [];
  if (!Object.hasOwn(TARGETS, name)) return path;
  const { text } = TARGETS[name as TargetName];
  return index !== undefined && rowCount > 1 ? `${text}, item ${Number(index) + 1}` : text;
}

/** Guesses the targets by the names of the columns. Of two columns, the one with the clearer name is the target. */
export function guessMapping(columns: readonly string[]): Mapping {
  const plain = columns.map(plainOf);
  const mapping: (TargetName | null)[] = columns.map(() => null);
  for (const target of NAMES) {
    const name = namesOf(target, plain).find((one) => plain.includes(one)) ?? "";
    const index = plain.indexOf(name);
    // Nobody can say which of two columns with one name it is.
    if (index !== -1 && index === plain.lastIndexOf(name)) mapping[index] ??= target;
  }
  return mapping;
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function namesOf(target: TargetName, columns: readonly string[]): readonly string[] {
  const { text, names } = TARGETS[target];
  // A shop that exports `Lineitem name` has the order's own id in `Name`.
  const id = target === "externalId" && columns.includes("lineitemname") ? ["name"] : [];
  return [...(target === "name" ? [] : [plainOf(target)]), ...names, plainOf(text), ...id];
}

/** Sentences that say what is missing; empty if the file can be imported. */
export function faultsOf(mapping: Mapping): string[] {
  const missing = (["sku", "name", "quantity", "unitPrice"] as const).filter((one) => !mapping.includes(one));
  const customers = ["customerId", "customerExternalId", "customerEmail"] as const;
  return [
    ...(customers.some((one) => mapping.includes(one)) ? [] : ["No column says who the customer is."]),
    ...missing.map((one) => `No column is “${TARGETS[one].text}”.`),
  ];
}
