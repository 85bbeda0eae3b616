// Finds values that one JSON Schema allows and another does not (interface §11). Pure.

/** The keywords of JSON Schema that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly [bound: string]: unknown;
}

export interface Place {
  readonly schema: Schema;
  readonly resolve: (ref: string) => Schema;
}

/** A value that the producer may send and the consumer does not accept. */
export interface Misfit {
  /** Such as `items[].quantity`; empty for the whole value. */
  readonly path: string;
  readonly kind: "type" | "value" | "missing" | "removed" | "unknown" | "bound" | "alternative";
  readonly what: string;
}

const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const EQUAL_RULES = ["format", "pattern", "uniqueItems", "multipleOf"];
const EVERY_TYPE = ["null", "boolean", "number", "string", "array", "object"];
// Schemas may refer to themselves.
const DEPTH_MAX = 24;

/** Returns each place where `producer` allows a value that `consumer` does not accept. */
export function misfits(producer: Place, consumer: Place, path = "", depth = 0): Misfit[] {
  const [from, to] = [resolved(producer), resolved(consumer)];
  if (depth > DEPTH_MAX) return [];
  const fromChoices = choicesOf(from);
  const toChoices = choicesOf(to);
  if (fromChoices !== null || toChoices !== null) {
    return misfitsOfChoices(fromChoices ?? [from], toChoices ?? [to], producer, consumer, path, depth);
  }
  const accepted = typesOf(to);
  const types = typesOf(from).filter(
    (type) => !accepted.includes(type) && !(type === "integer" && accepted.includes("number")),
  );
  return [
    ...types.map((type) => ({ path, kind: "type" as const, what: type })),
    ...misfitsOfValues(from, to, path),
    ...misfitsOfRules(from, to, path),
    ...misfitsOfDefault(from, to, path),
    ...misfitsOfFields(from, to, producer, consumer, path, depth),
    ...(from.items === undefined || to.items === undefined
      ? []
      : misfits(
          { ...producer, schema: from.items },
          { ...consumer, schema: to.items },
          `${path}[]`,
          depth + 1,
        )),
  ];
}

function resolved({ schema, resolve }: Place): Schema {
  return schema.$ref === undefined ? schema : resolved({ schema: resolve(schema.$ref), resolve });
}

function choicesOf({ anyOf, oneOf }: Schema): readonly Schema[] | null {
  return anyOf ?? oneOf ?? null;
}

/** Each choice of the producer must fit a choice of the consumer. */
function misfitsOfChoices(
  from: readonly Schema[],
  to: readonly Schema[],
  producer: Place,
  consumer: Place,
  path: string,
  depth: number,
): Misfit[] {
  return from.flatMap((one) => {
    const sent = resolved({ ...producer, schema: one });
    const types = typesOf(sent);
    const alike = to.filter((other) =>
      typesOf(resolved({ ...consumer, schema: other })).some((type) => types.includes(type)),
    );
    const marked = alike.filter((other) => haveSameMark(sent, resolved({ ...consumer, schema: other })));
    const [candidates = to] = [marked, alike].filter(({ length }) => length > 0);
    const tried = candidates.map((other) =>
      misfits({ ...producer, schema: one }, { ...consumer, schema: other }, path, depth + 1),
    );
    const best = tried.reduce((least, found) => (found.length < least.length ? found : least));
    // If only one choice of the consumer is possible, report its misfits in detail.
    if (best.length <= 1 || candidates.length === 1) return best;
    const what = String(one.$ref?.split("/").at(-1) ?? one.const ?? one.type ?? "one of them");
    return [{ path, kind: "alternative" as const, what }];
  });
}

/** Reports whether both have a field with the same constant, such as `success`, and no field with different ones. */
function haveSameMark({ properties: sent = {} }: Schema, { properties: known = {} }: Schema): boolean {
  const marks = Object.keys(sent).filter(
    (name) => sent[name]?.const !== undefined && known[name]?.const !== undefined,
  );
  return marks.length > 0 && marks.every((name) => sent[name]?.const === known[name]?.const);
}

function typesOf({ type, properties, items, const: constant, enum: values }: Schema): readonly string[] {
  if (type !== undefined) return [type].flat();
  const known = values ?? (constant === undefined ? undefined : [constant]);
  if (known !== undefined) return [...new Set(known.map(typeOfValue))];
  if (properties !== undefined) return ["object"];
  return items === undefined ? EVERY_TYPE : ["array"];
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function valuesOf(schema: Schema): readonly unknown[] | null {
  return schema.enum ?? ("const" in schema ? [schema.const] : null);
}

function misfitsOfValues(from: Schema, to: Schema, path: string): Misfit[] {
  const accepted = valuesOf(to)?.map((value) => JSON.stringify(value));
  if (accepted === undefined) return [];
  const sent = valuesOf(from)?.map((value) => JSON.stringify(value));
  if (sent === undefined) return [{ path, kind: "value", what: `other values than ${accepted.join(", ")}` }];
  return sent.filter((value) => !accepted.includes(value)).map((what) => ({ path, kind: "value", what }));
}

function misfitsOfRules(from: Schema, to: Schema, path: string): Misfit[] {
  const isTighter = (name: string, sign: number) =>
    to[name] !== undefined &&
    (from[name] === undefined || sign * Number(from[name]) > sign * Number(to[name]));
  return [
    ...UPPER_BOUNDS.filter((name) => isTighter(name, 1)),
    ...LOWER_BOUNDS.filter((name) => isTighter(name, -1)),
    ...EQUAL_RULES.filter((name) => to[name] !== undefined && to[name] !== false && from[name] !== to[name]),
  ].map((name) => ({ path, kind: "bound" as const, what: `${name} ${JSON.stringify(to[name])}` }));
}

/** Compares the defaults, which say what a missing value means. A default that is described only now may have existed before. */
function misfitsOfDefault(from: Schema, to: Schema, path: string): Misfit[] {
  const [sent, accepted] = [from.default, to.default].map((value) => JSON.stringify(value));
  if (sent === undefined || sent === accepted) return [];
  return [{ path, kind: "bound", what: accepted === undefined ? "no default" : `default ${accepted}` }];
}

function misfitsOfFields(
  from: Schema,
  to: Schema,
  producer: Place,
  consumer: Place,
  path: string,
  depth: number,
): Misfit[] {
  const { properties: sent = {}, required: always = [] } = from;
  const { properties: known = {}, required = [] } = to;
  const fieldPath = (name: string) => (path === "" ? name : `${path}.${name}`);
  const into = (name: string, one: Schema, other: Schema) =>
    misfits({ ...producer, schema: one }, { ...consumer, schema: other }, fieldPath(name), depth + 1);
  const missing = required.filter((name) => !always.includes(name) && (name in sent || !(name in known)));
  const others = asSchema(to.additionalProperties);
  return [
    ...missing.map((name) => ({ path: fieldPath(name), kind: "missing" as const, what: name })),
    ...Object.keys(known)
      .filter((name) => !(name in sent) && (from.properties !== undefined || required.includes(name)))
      .map((name) => ({
        path: fieldPath(name),
        kind: "removed" as const,
        what: required.includes(name) ? "required" : "optional",
      })),
    ...Object.entries(sent).flatMap(([name, field]) => {
      const other = known[name] ?? others;
      return other === null
        ? [{ path: fieldPath(name), kind: "unknown" as const, what: name }]
        : into(name, field, other);
    }),
    ...misfitsOfOtherFields(from, to, into, path),
    ...misfitsOfNames(from, to, producer, consumer, path, depth),
  ];
}

function misfitsOfNames(
  from: Schema,
  to: Schema,
  producer: Place,
  consumer: Place,
  path: string,
  depth: number,
) {
  if (to.propertyNames === undefined || asSchema(from.additionalProperties) === null) return [];
  const names = { type: "string", ...from.propertyNames };
  return misfits(
    { ...producer, schema: names },
    { ...consumer, schema: to.propertyNames },
    path === "" ? "(name)" : `${path}.(name)`,
    depth + 1,
  );
}

function misfitsOfOtherFields(
  from: Schema,
  to: Schema,
  into: (name: string, one: Schema, other: Schema) => Misfit[],
  path: string,
): Misfit[] {
  const isObject = typesOf(from).includes("object") && typesOf(to).includes("object");
  const [sent, accepted] = [asSchema(from.additionalProperties), asSchema(to.additionalProperties)];
  if (!isObject || sent === null) return [];
  if (accepted === null) return [{ path, kind: "unknown", what: "fields that are not listed" }];
  return into("*", sent, accepted);
}

/** Null if additional fields are not allowed. */
function asSchema(additional: boolean | Schema | undefined): Schema | null {
  if (additional === false) return null;
  return typeof additional === "object" ? additional : {};
}
