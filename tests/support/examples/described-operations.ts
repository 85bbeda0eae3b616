// The operations of docs/openapi.json, for tests that request each of them.
import { readFileSync } from "node:fs";
import { isUuid } from "@tradepost/http";
import { Ajv2020 } from "ajv/dist/2020.js";

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly responses: Readonly<Record<string, Content>>;
}

const document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** A path such as `/v1/orders/{id}`. */
  readonly path: string;
  readonly statuses: readonly string[];
  readonly hasIdempotencyKey: boolean;
}

/** All operations, in the order of the document. */
export const describedOperations: readonly DescribedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses),
      hasIdempotencyKey: parameters.some(({ $ref, name }) => ($ref ?? name)?.endsWith("Idempotency-Key")),
    })),
);

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: isUuid,
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/,
    email: /^\S+@\S+$/,
    binary: true,
  },
});
ajv.addSchema(document, "document");

/**
 * Returns the fault of a JSON body against the schema at a place in the document, such as `["paths", "/v1/me", "get", …]`; null
 * if it is valid.
 */
function faultOf(place: readonly string[], body: unknown): string | null {
  const pointer = place.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  const validate = ajv.getSchema(`document#/${encodeURI(pointer)}`);
  if (validate === undefined) return `nothing is described at ${pointer}`;
  return validate(body) ? null : ajv.errorsText(validate.errors);
}

/** Returns the fault of a request body, or null. */
export function requestFault({ path, method }: DescribedOperation, body: unknown): string | null {
  const place = ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"];
  return faultOf(place, body);
}

/** Returns the fault of a response body, or null. */
export function responseFault(
  { path, method }: DescribedOperation,
  status: number,
  body: unknown,
): string | null {
  const response = ["paths", path, method.toLowerCase(), "responses", String(status)];
  return faultOf([...response, "content", "application/json", "schema"], body);
}
