import { argumentPath } from "./tool-failure.ts";

// biome-ignore format: a table is read by its columns.
test.each([
  ["customerId", "customer_id"],
  ["items[3].unitPrice", "items[3].unit_price"],
  ["shippingAddress.postalCode", "shipping_address.postal_code"],
  ["Idempotency-Key", "request_key"],
  ["ids", "customer_ids"],
  ["body", "arguments"],
  ["data.heroImage", "data.heroImage"],
  ["data[0]", "data[0]"],
  ["dataType", "data_type"],
])("the field %s is the argument %s", (path, expected) => {
  expect(argumentPath(path)).toBe(expected);
});
