// Writes packages/client/src/generated from the API description (interface §11): its types, what sending an operation needs,
// the methods with their documentation, and the error codes.
import openapiTypeScript, { astToString } from "openapi-typescript";
import { METHODS } from "./methods.ts";
import { type Operation, operationsOf } from "./operations.ts";

const HEADER = "// Generated from docs/openapi.json by `npm run docs`. Do not edit.\n";

/** The text of each file, by its name. */
export async function generateClient(
  description: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const operations = operationsOf(description);
  return {
    "api.ts":
      HEADER +
      astToString(await openapiTypeScript(JSON.stringify(description), { defaultNonNullable: false })),
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
  const codes = new Set<string>();
  collectCodes(description, codes);
  return `${HEADER}
/** Every code of the platform's errors (interface §1). */
export type ErrorCode =
${[...codes]
  .sort()
  .map((code) => `  | "${code}"`)
  .join("\n")};
`;
}

/** Adds the `enum` of each `error.code`. */
function collectCodes(value: unknown, codes: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const { success, error } = (value as Shape).properties ?? {};
  if (success?.const === false) for (const code of error?.properties?.code?.enum ?? []) codes.add(code);
  for (const part of Object.values(value)) collectCodes(part, codes);
}

interface Shape {
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape | undefined>>;
}
