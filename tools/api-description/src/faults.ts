// Finds gaps in the document (interface §11). Pure.

import type { Body, Document, Operation, Schema } from "./open-api.ts";

/**
 * Returns one line for each gap: a schema that accepts anything, in a body, a parameter, a response or a shared schema; a
 * parameter without a description; an optional parameter without an example; an operation without a successful response or
 * without errors. An object with arbitrary members must have a description.
 */
export function descriptionFaults(document: Record<string, unknown>): string[] {
  const { paths, components } = document as unknown as Document;
  return [
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        faultsOf(operation).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
      ),
    ),
    ...Object.entries(components.responses).flatMap(([name, response]) => emptyIn(name, response)),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => emptyPlaces(schema, name)),
  ];
}

/** Parameters without an example, because a value is valid only for one list, one request, one signed link or one sign-in. */
const WITHOUT = /^(cursor|Idempotency-Key|tenant|expires|ended|signature|code|state|error)$/;

function faultsOf({ parameters = [], requestBody, responses }: Operation): string[] {
  const statuses = Object.keys(responses);
  const gaps = parameters.flatMap(({ name, description, required, example }) => [
    !description && `the parameter ${name} has no description`,
    !required &&
      example === undefined &&
      !WITHOUT.test(name) &&
      `the optional parameter ${name} has no example`,
  ]);
  return [
    ...parameters.flatMap(({ name, schema }) => emptyPlaces(schema, `the parameter ${name}`)),
    ...gaps.filter((gap) => typeof gap === "string"),
    ...emptyIn("the body", requestBody),
    ...(statuses.some((status) => /^2|^302$/.test(status)) ? [] : ["no successful response is described"]),
    ...(statuses.some((status) => status.startsWith("4")) ? [] : ["no error is described"]),
    ...Object.entries(responses).flatMap(([status, response]) => emptyIn(`the response ${status}`, response)),
  ];
}

function emptyIn(what: string, { content = {} }: Body = {}): string[] {
  return Object.values(content).flatMap(({ schema }) => emptyPlaces(schema, what));
}

const SAYS_SOMETHING = ["type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"];
const CHOICES = ["prefixItems", "anyOf", "oneOf", "allOf"];

function emptyPlaces(value: unknown, place: string): string[] {
  const schema = (value ?? {}) as Schema;
  if (!saysSomething(schema)) return [`${place} has an empty schema`];
  const { type, properties = {}, additionalProperties, description } = schema;
  const isOpaque =
    Object.keys(properties as object).length === 0 &&
    additionalProperties !== false &&
    !saysSomething((additionalProperties ?? {}) as object) &&
    description === undefined;
  return [
    ...(type === "object" && isOpaque ? [`${place} is an object of any kind without a description`] : []),
    ...(type === "array" && !("items" in schema || "prefixItems" in schema)
      ? [`${place} is a list of anything`]
      : []),
    ...Object.entries(properties as Schema).flatMap(([name, inner]) =>
      emptyPlaces(inner, `${place}.${name}`),
    ),
    ...("items" in schema ? emptyPlaces(schema.items, `${place}[]`) : []),
    ...CHOICES.flatMap((name) => (schema[name] ?? []) as unknown[]).flatMap((inner) =>
      emptyPlaces(inner, place),
    ),
  ];
}

function saysSomething(schema: object): boolean {
  return SAYS_SOMETHING.some((keyword) => keyword in schema);
}
