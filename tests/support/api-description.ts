// docs/openapi.json, for tests that send each of its requests, and compare what they receive with it.
import { readFileSync } from "node:fs";
import { isUuid } from "@tradepost/http";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Schema } from "./fuzz/schema-arbitrary.ts";

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
interface Webhook {
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: Content;
}

export const description = JSON.parse(
  readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

export interface DescribedOperation extends Operation {
  readonly method: string;
  /** A path such as `/v1/orders/{id}`. */
  readonly path: string;
}

/** In the order of the description. */
export const describedOperations: readonly DescribedOperation[] = Object.entries(description.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
);

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    uuid: isUuid,
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/,
    email: /^\S+@\S+$/,
    binary: true,
  },
});
ajv.addSchema(closed(description) as object, "document");

/** Closes all objects. The description leaves them open, because later versions may add fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

/** Returns how a value differs from the schema at a place in the description, such as `["paths", "/v1/me", "get", …]`. */
export function faultsAt(place: readonly string[], value: unknown): string[] {
  const names = place.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")));
  const validate = ajv.getSchema(`document#/${names.join("/")}`);
  if (validate === undefined) return [`nothing is described at ${place.join(" ")}`];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const JSON_SCHEMA = ["content", "application/json", "schema"];

export function requestFaults({ path, method }: DescribedOperation, body: unknown): string[] {
  return faultsAt(["paths", path, method.toLowerCase(), "requestBody", ...JSON_SCHEMA], body);
}

/** `body` is the parsed JSON of a response with this status. */
export function responseFaults(
  { path, method, responses }: DescribedOperation,
  status: number,
  body: unknown,
): string[] {
  const shared = responses[status]?.$ref?.split("/").slice(1);
  const place = shared ?? ["paths", path, method.toLowerCase(), "responses", String(status)];
  return faultsAt([...place, ...JSON_SCHEMA], body);
}
