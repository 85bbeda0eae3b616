// Generates values that a JSON Schema allows with fast-check. It supports the keywords that the API description
// uses for requests.
import fc from "fast-check";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Chooses the values of a property or a parameter by its name. Null leaves the choice to the schema. */
export type Override = (name: string, schema: Schema) => fc.Arbitrary<unknown> | null;

interface ArbitraryOptions {
  /** Resolves a `$ref`. */
  readonly resolve: (ref: string) => Schema;
  readonly override: Override;
}

// Most lists and texts are short. Mutations try lengths far beyond the limits.
const ITEMS_MAX = 4;
const EXTRA_PROPERTIES_MAX = 3;
const DEPTH_MAX = 6;

/** Generates values that `schema` allows. */
export function arbitraryOf(schema: Schema, options: ArbitraryOptions, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Schema) => arbitraryOf(one, options, depth + 1);
  if (schema.$ref !== undefined) return inner(options.resolve(schema.$ref));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(inner));
  const types = [schema.type ?? (schema.properties === undefined ? "any" : "object")].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, options, depth)));
}

function ofType(
  type: string,
  schema: Schema,
  options: ArbitraryOptions,
  depth: number,
): fc.Arbitrary<unknown> {
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return wholeNumber(schema);
  if (type === "number") return fc.oneof(wholeNumber(schema), amount(schema));
  if (type === "string") return text(schema);
  if (type === "array") return list(schema, options, depth);
  if (type === "object") return object(schema, options, depth);
  return fc.jsonValue({ maxDepth: 2 });
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: Schema) {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1);
  const max = maximum ?? Math.max(min, 1_000_000);
  return { min: Math.ceil(min), max: Math.max(Math.ceil(min), Math.floor(max)) };
}

function wholeNumber(schema: Schema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema);
  const small = fc.integer({ min, max: Math.min(max, Math.max(min, 10)) });
  return fc.oneof(
    { arbitrary: small, weight: 4 },
    fc.maxSafeInteger().map((n) => min + (Math.abs(n) % (max - min + 1))),
    fc.constantFrom(min, max),
  );
}

/** Generates amounts. Money has at most four decimals, and two in most currencies. */
function amount(schema: Schema): fc.Arbitrary<number> {
  return fc
    .tuple(
      wholeNumber(schema),
      fc.oneof(fc.constantFrom(0, 2_500, 9_900), fc.integer({ min: 0, max: 9_999 })),
    )
    .map(([whole, fraction]) => whole + fraction / 10_000)
    .filter((value) => value <= (schema.maximum ?? value));
}

function text(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === "uuid") return fc.uuid({ version: 7 });
  if (schema.format === "date-time") return time;
  if (schema.format === "email") return fc.nat(99).map((n) => `ada${n}@shop.example`);
  const { minLength = 0, maxLength = 30 } = schema;
  const ofLength = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, 20)) };
  if (schema.pattern !== undefined) return matching(schema.pattern, maxLength);
  const longest = fc.constant("x".repeat(Math.min(maxLength, 5_000)));
  return fc
    .oneof(
      { arbitrary: fc.string(ofLength), weight: 3 },
      { arbitrary: fc.string({ ...ofLength, unit: "grapheme" }), weight: 2 },
      longest,
    )
    .filter((value) => value.length >= minLength && value.length <= Math.max(maxLength, 30));
}

const time = fc
  .date({ min: new Date("2020-01-01T00:00:00Z"), max: new Date("2030-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

// Texts for patterns with assertions, which fast-check cannot generate.
const SAMPLES = [
  "/",
  "/a",
  "/shop/b",
  "/é?q=1",
  "https://shop.example/x",
  "http://shop.example",
  "post",
  "a1",
  "title",
  "Z",
];

function matching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  const regex = new RegExp(pattern, "u");
  const fits = (value: string) => value.length <= maxLength && regex.test(value);
  const samples = SAMPLES.filter(fits);
  try {
    // Throws at once for a pattern that fast-check does not support.
    const generated = fc.stringMatching(new RegExp(pattern), { size: "-1" }).filter(fits);
    return samples.length === 0 ? generated : fc.oneof(generated, fc.constantFrom(...samples));
  } catch {
    if (samples.length === 0) throw new Error(`no value matches ${pattern}: add a sample`);
    return fc.constantFrom(...samples);
  }
}

function list(schema: Schema, options: ArbitraryOptions, depth: number): fc.Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = ITEMS_MAX, items = {}, uniqueItems } = schema;
  const bounds = {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, depth > DEPTH_MAX ? 0 : ITEMS_MAX)),
  };
  const item = arbitraryOf(items, options, depth + 1);
  if (!uniqueItems) return fc.array(item, bounds);
  return fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) });
}

function object(schema: Schema, options: ArbitraryOptions, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames, maxProperties = 100 } = schema;
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      options.override(name, property) ?? arbitraryOf(property, options, depth + 1),
    ]),
  );
  const declared = fc.record(known, { requiredKeys: required.filter((name) => name in known) });
  if (typeof additionalProperties !== "object" || depth > DEPTH_MAX) return declared;
  const extra = fc.dictionary(
    propertyNames === undefined
      ? fc.constantFrom("title", "body", "x", "kéy")
      : text({ type: "string", ...propertyNames }),
    arbitraryOf(additionalProperties, options, depth + 1),
    { maxKeys: Math.min(EXTRA_PROPERTIES_MAX, maxProperties) },
  );
  return fc.tuple(declared, extra).map(([one, other]) => ({ ...other, ...one }));
}
