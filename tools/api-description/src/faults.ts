// Finds gaps in the document (interface §11). Pure.

interface Media {
  readonly schema?: unknown;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly example?: unknown;
    readonly schema?: unknown;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

/**
 * Returns one line for each gap: a schema that accepts anything, in a body, a parameter, a response or a shared schema; a
 * parameter without a description; an optional parameter without an example; an operation without a successful response or
 * without errors. An object with arbitrary members must have a description.
 */
export function descriptionFaults(document: Record<string, unknown>): string[] {
  const { paths, components } = document as unknown as Document;
  const ofOperations = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      faultsOf(operation).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
    ),
  );
  return [
    ...ofOperations,
    ...Object.entries(components.responses).flatMap(([name, response]) => emptyIn(name, response)),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => emptyPlaces(schema, name)),
  ];
}

/** Parameters without an example, because a value is valid only for one list, one request, one signed link or one sign-in. */
const WITHOUT: readonly string[] = [
  "cursor",
  "Idempotency-Key",
  "tenant",
  "expires",
  "ended",
  "signature",
  "code",
  "state",
  "error",
];

function faultsOf({ parameters, requestBody, responses }: Operation): string[] {
  const statuses = Object.keys(responses);
  return [
    ...parameters.flatMap(({ name, schema }) => emptyPlaces(schema, `the parameter ${name}`)),
    ...parameters
      .filter(({ description }) => !description)
      .map(({ name }) => `the parameter ${name} has no description`),
    ...parameters
      .filter(({ name, required, example }) => !required && example === undefined && !WITHOUT.includes(name))
      .map(({ name }) => `the optional parameter ${name} has no example`),
    ...emptyIn("the body", requestBody),
    ...(statuses.some((status) => /^2|^302$/.test(status)) ? [] : ["no successful response is described"]),
    ...(statuses.some((status) => status.startsWith("4")) ? [] : ["no error is described"]),
    ...Object.entries(responses).flatMap(([status, response]) => emptyIn(`the response ${status}`, response)),
  ];
}

function emptyIn(what: string, { content = {} }: Content = {}): string[] {
  return Object.values(content).flatMap(({ schema }) => emptyPlaces(schema, what));
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly prefixItems?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly allOf?: readonly unknown[];
}

const SAYS_SOMETHING = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"];

function emptyPlaces(value: unknown, place: string): string[] {
  const schema = (typeof value === "object" && value !== null ? value : {}) as Schema;
  if (!SAYS_SOMETHING.some((keyword) => keyword in schema)) return [`${place} has an empty schema`];
  const { properties = {}, prefixItems = [], anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...(isOpaqueObject(schema) ? [`${place} is an object of any kind without a description`] : []),
    ...(schema.type === "array" && !("items" in schema || "prefixItems" in schema)
      ? [`${place} is a list of anything`]
      : []),
    ...Object.entries(properties).flatMap(([name, inner]) => emptyPlaces(inner, `${place}.${name}`)),
    ...("items" in schema ? emptyPlaces(schema.items, `${place}[]`) : []),
    ...[...prefixItems, ...anyOf, ...oneOf, ...allOf].flatMap((inner) => emptyPlaces(inner, place)),
  ];
}

function isOpaqueObject({ type, properties = {}, additionalProperties, description }: Schema): boolean {
  const isClosed =
    additionalProperties === false ||
    SAYS_SOMETHING.some((keyword) => keyword in ((additionalProperties ?? {}) as object));
  return type === "object" && Object.keys(properties).length === 0 && !isClosed && description === undefined;
}
