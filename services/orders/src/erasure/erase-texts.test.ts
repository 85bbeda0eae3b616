// Erasing a person from texts.
import { erasedAddress, erasedDetails, erasedEvent, erasedResponse } from "./erase-texts.ts";

const order =
  '{"id":"o","customerId":"c","total":1.50,"customerNote":"n","metadata":{"a":"\\u0000"},"cancelReason":"r","externalId":"x"}';

test("a country stays if it is a code of ISO 3166", () => {
  for (const country of ["PT", "PRT", "ZW", "AND"])
    expect(erasedAddress(`{"line1":"a","city":"b","country":"${country}","zip":1}`)).toBe(
      `{"line1":"","city":"","country":"${country}"}`,
    );
  for (const country of ['"Ada Lovelace, 12 Street"', '"Ada"', '"XX"', '""', '" "', '{"of":"Ada"}', "null"])
    expect(erasedAddress(`{"line1":"a","country":${country}}`)).toBeNull();
  expect(erasedAddress('{"line1":"a"}')).toBeNull();
});

test("amounts keep their digits, and references stay", () => {
  expect(
    erasedEvent(`{"order":${order},"refund":{"id":"r","amount":2.50,"reason":"broken","reference":"re"}}`),
  ).toBe(
    '{"order":{"id":"o","customerId":"c","total":1.50,"externalId":"x"},"refund":{"id":"r","amount":2.50,"reference":"re"}}',
  );
  expect(erasedEvent('{"customer":{"id":"c","name":"Ada","email":"a","externalId":"x","version":1}}')).toBe(
    '{"customer":{"id":"c","name":"Erased customer","version":1}}',
  );
  expect(erasedDetails('{"refund":{"id":"r","reason":"x"},"reason":"y","carrier":"UPS"}')).toBe(
    '{"refund":{"id":"r"},"carrier":"UPS"}',
  );
});

test("an address in an event keeps its country; a value that is not an object does not change", () => {
  expect(erasedEvent('{"order":{"id":"o","shippingAddress":{"line1":"a","city":"b","country":"PT"}}}')).toBe(
    '{"order":{"id":"o","shippingAddress":{"line1":"","city":"","country":"PT"}}}',
  );
  expect(erasedEvent('{"order":null,"customer":"c"}')).toBe('{"order":null,"customer":"c"}');
});

test("events without a person stay as they are", () => {
  const audit = '{"target":{"type":"customer","id":"c"},"changes":{},"client":null}';
  expect(erasedEvent(audit)).toBe(audit);
});

test("a response about several customers loses one of them", () => {
  const failed = '{"index":1,"success":false,"error":{"code":"not_found"}}';
  const of = (data: string) => `{"status":200,"headers":{},"body":{"success":true,"data":${data}}}`;
  const other = order.replace('"c"', '"other"');
  expect(
    erasedResponse(
      of(`[{"index":0,"success":true,"data":${order}},${failed},{"index":2,"success":true,"data":${other}}]`),
      "c",
    ),
  ).toBe(
    of(
      `[{"index":0,"success":true,"data":{"id":"o","customerId":"c","total":1.50,"externalId":"x"}},${failed},{"index":2,"success":true,"data":${other}}]`,
    ),
  );
  const ofCustomer = (id: string, name: string) => of(`{"id":"${id}","name":"${name}"}`);
  expect(erasedResponse(ofCustomer("c", "Ada"), "c")).toBe(ofCustomer("c", "Erased customer"));
  expect(erasedResponse(ofCustomer("other", "Ada"), "c")).toBe(ofCustomer("other", "Ada"));
  const erasure = of('{"id":"e","customerId":"c","status":"running","rows":0}');
  expect(erasedResponse(erasure, "c")).toBe(erasure);
});
