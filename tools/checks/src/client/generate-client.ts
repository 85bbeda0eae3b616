// Generates packages/client/src/generated from the API description (interface §11): the table of operations, the methods with
// their documentation, and the error codes. packages/client/write-api-types.mjs generates the types.
import { METHODS } from "./methods.ts";
import { type Operation, operationsOf } from "./operations.ts";

const HEADER = "// Generated from docs/openapi.json by `npm run tool -- docs`. Do not edit.\n";

export function generateClient(description: Readonly<Record<string, unknown>>): Record<string, string> {
  const operations = operationsOf(description);
  return {
    "operations.ts": operationsFile(operations),
    "resources.ts": resourcesFile(operations),
    "error-codes.ts": errorCodesFile(description),
  };
}

function resourcesOf(operations: readonly Operation[]): string[] {
  return Object.keys(METHODS).filter((resource) => methodsOf(resource, operations).length > 0);
}

function operationsFile(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const { id, method, path, kind, input, takesKey, takesIfMatch, takesIfNoneMatch } = operation;
    const row = {
      ...{ method, path, kind, input },
      ...(takesKey && { takesKey }),
      ...(takesIfMatch && { takesIfMatch }),
      ...(takesIfNoneMatch && { takesIfNoneMatch }),
    };
    return `  ${id}: ${JSON.stringify(row)},\n`;
  });
  return `${HEADER}import type { Operation } from "../operation.ts";

/** By operation id. */
export const OPERATIONS = {
${rows.join("")}} as const satisfies Record<string, Operation>;

/** By resource and method: the operation's id. */
export const METHODS: Readonly<Record<string, Readonly<Record<string, keyof typeof OPERATIONS>>>> = {
${resourcesOf(operations)
  .map(
    (resource) =>
      `  ${resource}: {${methodsOf(resource, operations).map(({ name, id }) => ` ${name}: "${id}"`)} },\n`,
  )
  .join("")}};
`;
}

function methodsOf(resource: string, operations: readonly Operation[]) {
  return operations.flatMap((operation) =>
    operation.place?.resource === resource ? [{ ...operation, name: operation.place.name }] : [],
  );
}

function resourcesFile(operations: readonly Operation[]): string {
  const resources = resourcesOf(operations);
  const interfaces = resources.map(
    (resource) =>
      `export interface ${nameOf(resource)} {\n${methodsOf(resource, operations).map(methodText).join("")}}\n`,
  );
  return `${HEADER}import type { CallOptions, WithIfMatch, WithKey } from "../call-options.ts";
import type { BodyOf, DataOf, ItemOf, QueryOf } from "../operation-types.ts";
import type { Feed } from "../pages/feed.ts";
import type { List } from "../pages/list.ts";

/** The operations of the platform, by resource. */
export interface Resources {
${resources.map((resource) => `  readonly ${resource}: ${nameOf(resource)};\n`).join("")}}

${interfaces.join("\n")}`;
}

function nameOf(resource: string): string {
  return `${resource.slice(0, 1).toUpperCase()}${resource.slice(1)}Resource`;
}

function methodText(operation: Operation & { readonly name: string }): string {
  const { id, name, method, path, summary, description, takesKey, takesIfMatch } = operation;
  const options = ["CallOptions", takesKey && "WithKey", takesIfMatch && "WithIfMatch"]
    .filter(Boolean)
    .join(" & ");
  const parameters = [
    ...operation.pathParameters.map((parameter) => `${parameter.name}: ${parameter.type}`),
    ...inputText(operation),
    `options?: ${options}`,
  ];
  const comment = [`${summary}: \`${method} ${path}\`.`, ...description.split("\n")]
    .map((line) => `   * ${line}`.trimEnd().replaceAll("*/", "*\\/"))
    .join("\n");
  return `  /**\n${comment}\n   */\n  ${name}(${parameters.join(", ")}): ${resultText(id, operation)};\n`;
}

function inputText({ id, input, isInputRequired }: Operation): string[] {
  const mark = isInputRequired ? "" : "?";
  if (input === "none") return [];
  if (input === "form") return ["file: File"];
  return [input === "body" ? `body${mark}: BodyOf<"${id}">` : `query${mark}: QueryOf<"${id}">`];
}

function resultText(id: string, { kind }: Operation): string {
  if (kind === "list") return `List<ItemOf<"${id}">>`;
  if (kind === "feed") return `Feed<ItemOf<"${id}">>`;
  return `Promise<DataOf<"${id}">>`;
}

function errorCodesFile(description: Readonly<Record<string, unknown>>): string {
  const errors = errorsIn(failedResponses(description));
  const codes = [...new Set(errors.flatMap((error) => error.properties?.code?.enum ?? []))].sort();
  return `${HEADER}import type { components } from "./api.ts";

/** Every code of the platform's errors (interface §1). */
export type ErrorCode =
${codes.map((code) => `  | "${code}"`).join("\n")};

/** What a code adds to an error. A field that not every error with the code has is optional. */
export interface FieldsByCode {
${codes.map((code) => fieldsText(code, errors)).join("")}}
`;
}

/** Returns the responses that may contain the schema of an error. Some successful responses do, such as an import's. */
function failedResponses({ paths, components }: Readonly<Record<string, unknown>>): unknown[] {
  const { responses } = components as { readonly responses: object };
  const operations = Object.values(paths as Readonly<Record<string, object>>).flatMap(Object.values);
  return [
    responses,
    ...operations.flatMap((operation: { readonly responses: object }) =>
      Object.entries(operation.responses).flatMap(([status, response]) =>
        status.startsWith("2") ? [] : [response],
      ),
    ),
  ];
}

interface Shape {
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Shape | undefined>>;
  readonly required?: readonly string[];
}

/** Returns the schema of each `error` in a response. */
function errorsIn(value: unknown): Shape[] {
  if (typeof value !== "object" || value === null) return [];
  const { success, error } = (value as Shape).properties ?? {};
  const own = success?.const === false && error !== undefined ? [error] : [];
  return [...own, ...Object.values(value).flatMap(errorsIn)];
}

/** The fields that every error has, or that are optional in errors shared by several codes. */
const COMMON = ["code", "message", "requestId", "details"];

function fieldsText(code: string, errors: readonly Shape[]): string {
  const withCode = errors.filter((error) => hasCode(error, code));
  const fields = new Map(
    withCode.flatMap(({ properties = {} }) =>
      Object.entries(properties).filter(
        ([name]) => !COMMON.includes(name) && [undefined, code].includes(ownerOf(name, errors)),
      ),
    ),
  );
  if (fields.size === 0) return "";
  const lines = [...fields].map(([name, schema]) => {
    const isAlways = withCode.every(({ required }) => required?.includes(name));
    return `    readonly ${name}${isAlways ? "" : "?"}: ${typeText(schema)};\n`;
  });
  return `  readonly ${code}: {\n${lines.join("")}  };\n`;
}

/** Returns the only code that has the field, as far as responses that several codes share show it. */
function ownerOf(name: string, errors: readonly Shape[]): string | undefined {
  const withField = errors.filter(({ properties = {} }) => name in properties);
  const [first, ...others] = withField;
  return first?.properties?.code?.enum
    ?.filter((code) => others.every((error) => hasCode(error, code)))
    .find((code) => errors.filter((error) => hasCode(error, code)).length === withField.length);
}

function hasCode({ properties }: Shape, code: string): boolean {
  return properties?.code?.enum?.includes(code) ?? false;
}

function typeText({ $ref, type }: Shape = {}): string {
  if ($ref !== undefined) return `components["schemas"]["${$ref.split("/").at(-1)}"]`;
  return type === "string" || type === "number" || type === "boolean" ? type : "unknown";
}
