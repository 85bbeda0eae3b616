// Finds the places where the document says less than it should (interface §11). Pure.

interface Media {
  readonly schema?: unknown;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: unknown;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/**
 * Returns one line for each fault: a body, a parameter or a response without a schema or with an empty one, a parameter without a description, and an
 * operation without a successful response or without errors.
 */
export function descriptionFaults(document: Record<string, unknown>): string[] {
  const { paths } = document as unknown as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      faultsOf(operation).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
    ),
  );
}

function faultsOf({ parameters, requestBody, responses }: Operation): string[] {
  const statuses = Object.keys(responses);
  return [
    ...parameters
      .filter(({ schema }) => isEmpty(schema))
      .map((parameter) => `the parameter ${parameter.name} has an empty schema`),
    ...parameters
      .filter(({ description }) => !description)
      .map(({ name }) => `the parameter ${name} has no description`),
    ...emptyIn("the body", requestBody),
    ...(statuses.some((status) => status.startsWith("2")) ? [] : ["no successful response is described"]),
    ...(statuses.some((status) => status.startsWith("4")) ? [] : ["no error is described"]),
    ...Object.entries(responses).flatMap(([status, response]) => emptyIn(`the response ${status}`, response)),
  ];
}

function emptyIn(what: string, { content = {} }: Content = {}): string[] {
  return Object.values(content).flatMap(({ schema }) => emptyPlaces(schema, what));
}

/** The places in a schema that accept anything, without a description that says so on purpose. */
function emptyPlaces(schema: unknown, place: string): string[] {
  if (isEmpty(schema)) return [`${place} has an empty schema`];
  const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown };
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => emptyPlaces(inner, `${place}.${name}`)),
    ...(items === undefined ? [] : emptyPlaces(items, `${place}[]`)),
  ];
}

const SAYS_SOMETHING = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "description"];

function isEmpty(schema: unknown): boolean {
  return (
    typeof schema !== "object" || schema === null || !SAYS_SOMETHING.some((keyword) => keyword in schema)
  );
}
