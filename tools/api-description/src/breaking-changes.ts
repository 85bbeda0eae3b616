// Finds the changes of the API description that break clients (interface §11). Pure.
//
// A description is read as places, such as `POST /v1/orders, body application/json items[].sku`, with what is possible at each: types,
// values, bounds, presence. Everything possible in a request must stay possible. A response or an event must not contain what was not
// possible there; new fields, error codes and events break nothing, because clients ignore what they do not know.

import type { Body, Document, Operation, Parameter, Schema } from "./open-api.ts";

/** A number is a bound; a larger one allows more. */
type Values = ReadonlySet<string> | number | "any";

interface Place {
  /** A place that only one description has is compared if the other has its parent. */
  readonly parent: string;
  readonly aspects: Readonly<Record<string, Values>>;
}
type Places = Map<string, Place>;

const PRESENT = new Set(["present"]);
const OPTIONAL = new Set(["present", "absent"]);
const ROLES = ["anyone", "viewer", "editor", "admin", "owner"];
const EVERY_TYPE = ["null", "boolean", "number", "integer", "string", "array", "object"];
const RULES: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "pattern"],
  integer: ["multipleOf"],
  array: ["uniqueItems"],
};
const UPPER_BOUNDS: Readonly<Record<string, readonly string[]>> = {
  string: ["maxLength"],
  integer: ["maximum", "exclusiveMaximum"],
  array: ["maxItems"],
  object: ["maxProperties"],
};

/** Returns a line for each change: `POST /v1/orders, body application/json note, presence: may no longer be absent`. */
export function breakingChanges(before: object, after: object): string[] {
  const [earlier, later] = [read(before as Document), read(after as Document)];
  const inRequests = new Set([...earlier.accepted.keys(), ...later.accepted.keys()]);
  return [
    ...missing(inRequests, earlier.accepted, later.accepted, "absent").map(
      ([where, values]) => `${where}: may no longer be ${values}`,
    ),
    ...missing(earlier.sent.keys(), later.sent, earlier.sent, "removed").map(
      ([where, values]) => `${where}: may now be ${values}`,
    ),
  ];
}

/** Returns what `wanted` allows and `given` does not. A place that one of them lacks is `ifLacking` there. */
function missing(names: Iterable<string>, wanted: Places, given: Places, ifLacking: string): string[][] {
  return [...names].flatMap((name) => {
    const [one, other] = [wanted.get(name), given.get(name)];
    const { parent = "", aspects } = one ?? other ?? { aspects: {} };
    const lacking = (places: Places): Place["aspects"] =>
      parent === "" || places.has(parent) ? { presence: new Set([ifLacking]) } : {};
    const [allowed, known] = [one?.aspects ?? lacking(wanted), other?.aspects ?? lacking(given)];
    return Object.keys(aspects).flatMap((aspect) => {
      // A default that is no longer described may be another one.
      const here = known[aspect] ?? (aspect === "default" && other !== undefined ? new Set([]) : "any");
      const values = difference(allowed[aspect] ?? new Set([]), here);
      return values.length === 0 ? [] : [[`${name}, ${aspect}`, values.join(", ")]];
    });
  });
}

function difference(wanted: Values, given: Values): string[] {
  if (given === "any") return [];
  if (typeof given === "number" || typeof wanted === "number")
    return Number(wanted) > Number(given) ? [`beyond ${Math.abs(Number(given))}`] : [];
  return wanted === "any"
    ? [`other than ${[...given].join(", ")}`]
    : [...wanted].filter((value) => !given.has(value));
}

function read(document: Document): { accepted: Places; sent: Places } {
  const [accepted, sent]: [Places, Places] = [new Map(), new Map()];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      readRequest(name, operation, document, accepted);
      readResponses(name, operation, document, sent);
    }
  for (const [type, methods] of Object.entries(document.webhooks ?? {}))
    for (const operation of Object.values(methods)) {
      const name = `event ${type}`;
      sent.set(name, { parent: "", aspects: { presence: PRESENT } });
      for (const one of parametersOf(operation, document).filter((parameter) => parameter.in === "header"))
        sent.set(`${name}, header ${one.name}`, { parent: name, aspects: { presence: PRESENT } });
      readBody(name, withFullData(operation.requestBody), schemaReader(document, sent, true));
    }
  return { accepted, sent };
}

/** A subscription gets the other form of an event's data only if it asks for it. */
function withFullData({ content = {} }: Body = {}): Body {
  const bodies = Object.entries(content).map(([type, { schema = {} }]) => {
    const { data = {}, ...rest } = schema.properties ?? {};
    return [type, { schema: { ...schema, properties: { ...rest, data: data.anyOf?.[0] ?? data } } }];
  });
  return { content: Object.fromEntries(bodies) };
}

function readRequest(name: string, operation: Operation, document: Document, accepted: Places): void {
  const extension = (what: string) => operation[`x-tradepost-${what}`];
  const oneOf = (what: string): Values =>
    extension(what) === undefined ? "any" : new Set([String(extension(what))]);
  const security = operation.security ?? document.security ?? [];
  const credentials = security.map((schemes) => Object.keys(schemes).sort().join(" and "));
  accepted.set(name, {
    parent: "",
    aspects: {
      presence: OPTIONAL,
      "operation id": new Set([operation.operationId]),
      credential: credentials.length === 0 || credentials.includes("") ? "any" : new Set(credentials),
      role: new Set(ROLES.slice(Math.max(0, ROLES.indexOf(String(extension("role")))))),
      ...{ scope: oneOf("scope"), module: oneOf("module") },
      actor: new Set(extension("users-only") === true ? ["user"] : ["user", "API key"]),
    },
  });
  const addSchema = schemaReader(document, accepted, false);
  for (const parameter of parametersOf(operation, document)) {
    const place = `${name}, ${parameter.in} parameter ${parameter.name}`;
    addSchema(
      { base: place, parent: name, presence: parameter.required ? PRESENT : OPTIONAL },
      parameter.schema ?? {},
    );
    const { aspects } = accepted.get(place) ?? {};
    accepted.set(place, { parent: name, aspects: { ...aspects, style: new Set([styleOf(parameter)]) } });
  }
  const { requestBody } = operation;
  const presence = requestBody?.required ? PRESENT : OPTIONAL;
  if (requestBody !== undefined) accepted.set(`${name}, body`, { parent: name, aspects: { presence } });
  readBody(`${name}, body`, requestBody ?? {}, addSchema, OPTIONAL);
}

/** With OpenAPI's defaults. */
function styleOf({ in: place, style, explode }: Parameter): string {
  const actual = style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  return `${actual}${(explode ?? actual === "form") ? ", exploded" : ""}`;
}

function readResponses(name: string, operation: Operation, document: Document, sent: Places): void {
  sent.set(name, { parent: "", aspects: {} });
  for (const [status, response] of Object.entries(operation.responses)) {
    const body = resolve(response, document);
    const place = `${name}, response ${status}`;
    // A client does not need an error to occur.
    const presence = new Set(/^[23]/.test(status) ? ["present"] : ["present", "removed"]);
    sent.set(place, { parent: name, aspects: { presence } });
    for (const header of Object.keys(body.headers ?? {}))
      sent.set(`${place}, header ${header.toLowerCase()}`, { parent: place, aspects: { presence: PRESENT } });
    readBody(place, body, schemaReader(document, sent, true));
  }
}

function readBody(parent: string, { content = {} }: Body, addSchema: AddSchema, presence = PRESENT): void {
  for (const [type, { schema = {} }] of Object.entries(content))
    addSchema({ base: `${parent} ${type}`, parent, presence }, schema);
}

function parametersOf({ parameters = [] }: Operation, document: Document): Parameter[] {
  return parameters.map((parameter) => resolve(parameter, document));
}

function resolve<Found extends { readonly $ref?: string }>(found: Found, document: Document): Found {
  if (found.$ref === undefined) return found;
  const keys = found.$ref.split("/").slice(1);
  return keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as Found;
}

interface Spot {
  readonly base: string;
  /** Inside the body or parameter: `items[].sku`. */
  readonly path?: string;
  readonly parent: string;
  readonly presence: ReadonlySet<string>;
}
type AddSchema = (spot: Spot, schema: Schema) => void;
/** A schema that is no reference and no choice, with the references that led to it. */
interface Choice {
  readonly schema: Schema;
  readonly refs: readonly string[];
}

/** Returns a function that adds the places of a schema. */
function schemaReader(document: Document, places: Places, isSent: boolean): AddSchema {
  /** A reference that leads to itself is followed once. */
  const choicesOf = (schema: Schema, refs: readonly string[]): Choice[] => {
    const { $ref } = schema;
    if ($ref !== undefined)
      return refs.includes($ref) ? [] : choicesOf(resolve(schema, document), [...refs, $ref]);
    const either = schema.anyOf ?? schema.oneOf;
    return either === undefined ? [{ schema, refs }] : either.flatMap((one) => choicesOf(one, refs));
  };
  const add = ({ base, path = "", parent, presence }: Spot, choices: readonly Choice[]): void => {
    if (choices.length === 0) return;
    const place = `${base}${path === "" ? "" : ` ${path}`}`;
    // A schema without keywords allows every object, and has no fields to add.
    const objects = choices.filter(
      ({ schema }) => Object.keys(schema).length > 0 && typesOf(schema).includes("object"),
    );
    const labels = objects.map(({ schema }, index) => labelOf(schema) || `choice ${index + 1}`);
    const aspects = aspectsOf(choices, isSent);
    aspects.presence = presence;
    // Clients skip unknown error codes, and events of unknown types.
    if (isSent && path === "error.code") delete aspects.value;
    const isNamed = objects.length > 1 && !labels.every((label) => label.startsWith("type="));
    places.set(place, { parent, aspects: { ...aspects, ...(isNamed && { choice: new Set(labels) }) } });
    for (const [index, choice] of objects.entries()) {
      const label = objects.length > 1 ? ` (${labels[index]})` : "";
      if (label !== "") places.set(place + label, { parent: place, aspects: {} });
      addFields({ base, path: path + label, parent: place + label }, choice);
    }
    const items = choices.flatMap(({ schema, refs }) => (schema.items ? choicesOf(schema.items, refs) : []));
    add({ base, path: `${path}[]`, parent: place, presence: OPTIONAL }, items);
  };
  const addFields = ({ base, path, parent }: Omit<Spot, "presence">, { schema, refs }: Choice): void => {
    const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
    const into = (name: string, presence: ReadonlySet<string>, field: Schema) =>
      add({ base, path: path ? `${path}.${name}` : name, parent, presence }, choicesOf(field, refs));
    for (const [name, field] of Object.entries(properties))
      into(name, required.includes(name) ? PRESENT : OPTIONAL, field);
    if (additionalProperties !== false && (!isSent || typeof additionalProperties === "object"))
      into("(other)", OPTIONAL, additionalProperties === true ? {} : additionalProperties);
    if (propertyNames !== undefined) into("(name)", OPTIONAL, { type: "string", ...propertyNames });
  };
  return (spot, schema) => add(spot, choicesOf(schema, []));
}

/** Tells the objects of a choice apart by their constants: `success=true`. */
function labelOf({ properties = {} }: Schema): string {
  const marks = Object.entries(properties).filter(([, field]) => field.const !== undefined);
  return marks.map(([name, field]) => `${name}=${String(field.const)}`).join(" ");
}

/** Formats are compared in both directions, other rules only where the client has to keep them. */
function aspectsOf(all: readonly Choice[], isSent: boolean): Record<string, Values> {
  const choices = all.map(({ schema }) => schema);
  const aspects: Record<string, Values> = { type: new Set(choices.flatMap(typesOf)) };
  const scalars = choices.filter((schema) =>
    typesOf(schema).some((type) => !["object", "array"].includes(type)),
  );
  if (scalars.length > 0) aspects.value = union(scalars.map(valuesOf));
  for (const type of ["string", "integer", "array", "object"]) {
    const typed = choices.filter((schema) => typesOf(schema).includes(type));
    if (typed.length === 0) continue;
    for (const rule of RULES[type] ?? [])
      if (!isSent || rule === "format")
        aspects[rule] = union(
          typed.map((schema) => (schema[rule] ? new Set([String(schema[rule])]) : "any")),
        );
    for (const upper of isSent ? [] : (UPPER_BOUNDS[type] ?? [])) {
      const lower = upper.replace("max", "min").replace("Max", "Min");
      const bounds = (name: string, sign: number) =>
        Math.max(...typed.map((schema) => sign * Number(schema[name] ?? sign * Number.POSITIVE_INFINITY)));
      aspects[upper] = bounds(upper, 1);
      aspects[lower] = bounds(lower, -1);
    }
  }
  const defaults = choices.filter((schema) => schema.default !== undefined);
  if (!isSent && defaults.length > 0)
    aspects.default = new Set(defaults.map((schema) => JSON.stringify(schema.default)));
  return aspects;
}

function union(all: readonly Values[]): Values {
  return all.includes("any") ? "any" : new Set(all.flatMap((values) => [...(values as ReadonlySet<string>)]));
}

function valuesOf(schema: Schema): Values {
  const values =
    schema.enum ?? ("const" in schema ? [schema.const] : schema.type === "null" ? [null] : undefined);
  return values === undefined ? "any" : new Set(values.map((value) => JSON.stringify(value)));
}

/** A `number` may also be an integer. */
function typesOf({ type, properties, items, const: constant, enum: values }: Schema): readonly string[] {
  const known = values ?? (constant === undefined ? undefined : [constant]);
  const types =
    type !== undefined
      ? [type].flat()
      : known !== undefined
        ? known.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value))
        : properties !== undefined
          ? ["object"]
          : items !== undefined
            ? ["array"]
            : EVERY_TYPE;
  return types.includes("number") ? [...types, "integer"] : types;
}
