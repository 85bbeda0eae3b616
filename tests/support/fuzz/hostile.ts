// Values that no client should send, and mutations that insert them into a valid body.
import fc from "fast-check";

/** JSON texts that JSON.stringify never writes. A string that equals one of these names is replaced by the text. */
const RAW: Readonly<Record<string, string>> = {
  "\uE000huge": "1e400",
  "\uE000tiny": "1e-400",
  "\uE000digits": "123456789012345678901234567890.123456789",
  "\uE000minusZero": "-0",
  "\uE000duplicate": '{"a":1,"a":2}',
  "\uE000deep": `${"[".repeat(200)}${"]".repeat(200)}`,
};

export const hostileTexts = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "a\udfff",
    "\ufeff",
    "\u202e",
    "\n\r\t",
    "\u2028",
    "null",
    "true",
    "-1",
    "0",
    "1e3",
    "NaN",
    "__proto__",
    "constructor",
    "'; drop table orders; --",
    "%00",
    "%",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "2026-13-45T99:99:99Z",
    "2026-02-30T00:00:00Z",
    "+275760-09-13T00:00:00.001Z",
    "0000-01-01T00:00:00Z",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "x".repeat(5_001),
    "é".repeat(20_000),
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const hostileValues = fc.oneof(
  hostileTexts,
  fc.constantFrom(...Object.keys(RAW)),
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    0.00001,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e21,
    1e308,
    [],
    {},
    [null],
    [[]],
  ),
  fc.constantFrom({ a: { b: { c: [] } } }, { __proto__x: 1 }, ["x"], [{}], "\uE000"),
  fc.constant(Array.from({ length: 501 }, (_, n) => n)),
);

export const mutations = fc.record({
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "add", "repeat"),
  at: fc.nat(),
  value: hostileValues,
  name: fc.oneof(
    fc.constantFrom("unknown", "__proto__", "constructor", "", "a.b", "id", "tenantId"),
    hostileTexts,
  ),
});

export type Mutation = typeof mutations extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns a copy of `body` that differs in one place. */
export function mutated(body: unknown, { kind, at, value, name }: Mutation): unknown {
  const copy = structuredClone(body);
  const places = placesIn(copy);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return value;
  const { holder, key } = place;
  if (kind === "remove" && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  else if (kind === "add") define(holder, name, value);
  else if (kind === "repeat" && Array.isArray(holder[key]))
    holder[key] = Array.from({ length: 510 }, () => (holder[key] as unknown[])[0]);
  else define(holder, key, value);
  return copy;
}

type Holder = Record<string, unknown>;

/** Defines a property, even if its name is `__proto__`. */
function define(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown): { holder: Holder; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value as Holder, key },
    ...placesIn(inner),
  ]);
}

/** Returns the JSON text of a value, with the names of RAW replaced by their texts. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.replaceAll(/"(\uE000\w+)"/g, (whole, name: string) => RAW[name] ?? whole);
}

const JSON_TYPE = { "content-type": "application/json" };

const smallBodies = fc.constantFrom<{ body: Buffer; headers: Record<string, string> }>(
  ...["", "{", "null", "[]", '"text"', "{} {}", "\ufeff{}", '{"a":1,}', "{'a':1}"].map((text) => ({
    body: Buffer.from(text),
    headers: JSON_TYPE,
  })),
  { body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), headers: JSON_TYPE },
  { body: Buffer.from("{}"), headers: {} },
  { body: Buffer.from("{}"), headers: { "content-type": "text/plain" } },
  { body: Buffer.from("{}"), headers: { "content-type": "application/json; charset=latin1" } },
  { body: Buffer.from("{}"), headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
);

// Large enough to be refused, and rare because it takes as long as a hundred other requests.
const hugeBody = { body: Buffer.from(`{"a":"${"x".repeat(2 * 1024 * 1024)}"}`), headers: JSON_TYPE };

/** Bytes and headers of a body that is not JSON, incomplete, too large, or sent with another content type. */
export const brokenBodies = fc.oneof(
  { arbitrary: smallBodies, weight: 60 },
  { arbitrary: fc.constant(hugeBody), weight: 1 },
);
