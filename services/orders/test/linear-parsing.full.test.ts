// Parsing and validating a body takes time proportional to its length, whatever it contains. The tests double the size and
// compare CPU times, for shapes known to be slow and for generated ones.
import { ApiError, pageOnly, validate, validateNew } from "@tradepost/http";
import {
  canonicalJson,
  elementTexts,
  keepTexts,
  memberTexts,
  parseJson,
  ReceivedJson,
} from "@tradepost/json";
import { decodeEvent } from "@tradepost/messaging";
import { growthOf, LINEAR_GROWTH_MAX, type Repeated, repeated } from "@tradepost/testing";
import fc from "fast-check";
import { customerChange, customerInput } from "../src/customer/customer-input.ts";
import { actionInputs } from "../src/order/action-input.ts";
import { importInput } from "../src/order/import-orders.ts";
import { orderInput, ordersQuery } from "../src/order/order-input.ts";

const KIB = 1024;
const BODY = { min: 4 * KIB, max: 256 * KIB };
// Small enough to test a hundred shapes, and large enough to show a quadratic cost.
const SMALL_BODY = { min: 2 * KIB, max: 128 * KIB };
const RUNS = 60;

type TextOfSize = (size: number) => string;
const all = (shape: Repeated) => (size: number) => repeated(size, shape);
/** Returns a text with as many distinct members as fit. */
const members = (bytesEach: number, member: (index: number) => string, [open, close] = ["{", "}"]) => {
  return (size: number) =>
    `${open}${Array.from({ length: Math.ceil(size / bytesEach) }, (_, index) => member(index)).join()}${close}`;
};

const JSON_TEXTS: [string, TextOfSize][] = [
  ["zeros within a number", all({ start: "1.", piece: "0", end: "1" })],
  ["zeros at the end of a number", all({ start: "1.5", piece: "0" })],
  ["zeros at the start of a fraction", all({ start: "0.", piece: "0", end: "1" })],
  ["the digits of a number", all({ start: "-1", piece: "7" })],
  ["the digits of an exponent", all({ start: "1e", piece: "0", end: "5" })],
  ["numbers with exponents", all({ start: "[", piece: "1e5,", end: "1]" })],
  ["numbers of 20 digits", all({ start: "[", piece: "12345678901234567890,", end: "1]" })],
  ["numbers that end in zeros", all({ start: "[", piece: `1.5${"0".repeat(390)},`, end: "1]" })],
  ["numbers within strings", all({ start: '["', piece: "1234567890123456789 1e5,", end: '"]' })],
  ["escapes", all({ start: '["', piece: '\\u0041\\"\\\\', end: '"]' })],
  ["characters outside ASCII", all({ start: '["', piece: "ä漢😀", end: '"]' })],
  ["halves of surrogate pairs", all({ start: '["', piece: "\\ud800", end: '"]' })],
  ["open lists", all({ piece: "[" })],
  ["open objects", all({ piece: '{"a":' })],
  ["nested lists", (size) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}`],
  ["nested lists around digits", (size) => `${"[".repeat(size / 2)}${1e20}1${"]".repeat(size / 2)}`],
  ["nested objects", (size) => `${'{"a":'.repeat(size / 6)}1e5${"}".repeat(size / 6)}`],
  ["lists side by side", all({ start: "[", piece: "[[]],", end: "1]" })],
  ["many names", members(12, (index) => `"k${index}":1e5`)],
  ["names like numbers", members(12, (index) => `"${index * 97}":1e5`)],
  ["a repeated name", members(8, () => '"k":1e5')],
  ["a name of objects", members(16, () => '"__proto__":1e5')],
  ["names that begin alike", (size) => members(300, (index) => `"${"k".repeat(280)}${index}":1e5`)(size)],
  ["one long name", all({ start: '{"', piece: "k", end: '":1e5}' })],
  ["zeros in a list", all({ start: "[", piece: "0,", end: "0]" })],
  ["texts that Postgres refuses", all({ start: "[", piece: '"\\u0000",', end: "0]" })],
];

/** Does what the service does with any JSON: parses it, writes it canonically, and writes it. */
const reading = (text: string) => {
  const json = parseJson(text);
  canonicalJson(json);
  keepTexts(`{"metadata":${text}}`, { metadata: json }, ["metadata"]);
  elementTexts(memberTexts(`{"orders":[${text}]}`).get("orders") ?? "");
  keepTexts(text, json, ["metadata", "k", "a"]);
  try {
    JSON.stringify(json);
  } catch (error) {
    // JSON that is nested too deeply to be written; the service refuses such bodies.
    if (!(error instanceof RangeError)) throw error;
  }
};

const received = (value: object) => new ReceivedJson("", value);

const VALIDATORS: Record<string, (json: unknown) => unknown> = {
  "an order": (json) => validate(orderInput, json),
  "an order's lines": (items) => validate(orderInput, { customerId: "x", items }),
  "an order's metadata": (a) => validate(orderInput, { customerId: "x", metadata: received({ a }) }),
  "an order's address": (a) => validate(orderInput, { shippingAddress: received({ line1: a, city: a, a }) }),
  "orders in bulk": (json) => importInput({ orders: [json, json] }, [], validateNew, ""),
  "a list of orders": (orders) => importInput({ orders }, [], validateNew, ""),
  "a payment": (amount) => validate(actionInputs.payments, { status: amount, amount, reference: amount }),
  "a customer": (json) => validate(customerInput, json),
  "a customer's fields": (a) =>
    validate(customerChange, { name: a, email: a, phone: a, metadata: received([a]) }),
};

const orRefused = (work: () => unknown) => () => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof SyntaxError)) throw error;
  }
};

describe("the time to parse JSON grows with its length, not faster", () => {
  test.each(JSON_TEXTS)("with %s", async (_what, textOf) => {
    const growth = await growthOf(BODY, (size) => {
      const text = textOf(size);
      return orRefused(() => reading(text));
    });
    expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
  });

  test.each(Object.entries(VALIDATORS))("as %s, whatever it contains", async (_what, validateJson) => {
    for (const [what, textOf] of JSON_TEXTS) {
      const growth = await growthOf(SMALL_BODY, (size) => {
        const json = orText(textOf(size));
        return orRefused(() => validateJson(json));
      });
      expect([what, growth < LINEAR_GROWTH_MAX || growth]).toEqual([what, true]);
    }
  });

  test("as an event from the broker", async () => {
    for (const [what, textOf] of JSON_TEXTS) {
      const growth = await growthOf(SMALL_BODY, (size) => {
        const content = Buffer.from(`{"id":"x","data":${textOf(size)}}`);
        return () => decodeEvent(content);
      });
      expect([what, growth < LINEAR_GROWTH_MAX || growth]).toEqual([what, true]);
    }
  });

  const PIECES = [...'019.-e"\\ä[]{}:, ', "E5", "\\u0000"];
  const someOf = (minLength: number) =>
    fc
      .array(fc.constantFrom(...PIECES, "1.", "1e5,", '"a":'), { minLength, maxLength: 4 })
      .map((parts) => parts.join(""));
  const anything = fc.record({ start: someOf(0), piece: someOf(1), end: someOf(0) });
  const digits = fc
    .array(fc.constantFrom("0", "1", "00", "9"), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const aNumber = fc
    .tuple(digits, digits)
    .map(([a, b]) => ({ start: `1${a}.${b}`, piece: "0", end: `${b}1` }));
  const aList = fc.jsonValue({ maxDepth: 2 }).map((value) => {
    const json = JSON.stringify(value);
    return { start: "[", piece: `${json},`, end: `${json}]` };
  });

  test("with generated shapes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, aNumber, aList), async (shape) => {
        const growth = await growthOf(SMALL_BODY, (size) => {
          const text = repeated(size, shape);
          return orRefused(() => reading(text));
        });
        expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the time to validate a text field grows with its length, not faster", () => {
  const TEXT = { min: 4 * KIB, max: 256 * KIB };
  const FIELDS: Record<string, (text: string) => unknown> = {
    "an e-mail": (email) => validate(customerChange, { email }),
    "a name": (name) => validate(customerChange, { name }),
    "a currency": (currency) =>
      validate(orderInput, { currency, items: [{ sku: currency, productId: currency }] }),
    "a cursor": (cursor) => validate(pageOnly, { cursor, limit: cursor }),
    "a filter": (text) => validate(ordersQuery, { createdAfter: text, status: text, customerId: text }),
  };
  const PIECES = [..."aA0.-@ \t=_äZ\u0000", "a@a.", "a.", "2026-01-01T00:00:00."];
  const someOf = (minLength: number) =>
    fc.array(fc.constantFrom(...PIECES), { minLength, maxLength: 3 }).map((parts) => parts.join(""));
  const shape = fc.record({ start: someOf(0), piece: someOf(1), end: someOf(0) });

  test.each(Object.entries(FIELDS))("of %s", async (_what, validateJson) => {
    await fc.assert(
      fc.asyncProperty(shape, async (of) => {
        const growth = await growthOf(TEXT, (size) => {
          const text = repeated(size, of);
          return orRefused(() => validateJson(text));
        });
        expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
      }),
      {
        numRuns: RUNS,
        examples: [[{ start: "", piece: "a@", end: "" }], [{ start: "a@", piece: "a.", end: "-" }]],
      },
    );
  });
});

describe("a refusal", () => {
  const refusal = (validateJson: () => unknown): ApiError => {
    try {
      validateJson();
    } catch (error) {
      if (error instanceof ApiError) return error;
    }
    throw new Error("it was not refused");
  };
  const RESPONSE_BYTES_MAX = 512 * KIB;

  test.each<[string, unknown]>([
    [
      "many faults below a long name",
      { customerNote: { ["k".repeat(1024 * KIB)]: Array(200_000).fill("\u0000") } },
    ],
    ["many unknown names", Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 0]))],
    [
      "long unknown names",
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => ["k".repeat(10 * KIB) + i, 0])),
    ],
    ["many lines", { customerId: "x", items: Array(500).fill({ a: 1, b: 2, c: 3 }) }],
  ])("of %s is short", (_what, body) => {
    const { message, details } = refusal(() => validate(orderInput, body));
    expect(JSON.stringify({ message, details }).length).toBeLessThan(RESPONSE_BYTES_MAX);
    expect(details?.length).toBeLessThanOrEqual(200);
  });

  test("contains the whole path of a field of normal length", () => {
    const { details } = refusal(() =>
      validate(orderInput, { customerNote: { [`k${"y".repeat(100)}`]: [{ a: "\u0000" }] } }),
    );
    expect(details?.map(({ path }) => path)).toContain(`customerNote.k${"y".repeat(100)}[0].a`);
  });
});

/** Parses a text. Text that is not JSON is validated as a string. */
function orText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
