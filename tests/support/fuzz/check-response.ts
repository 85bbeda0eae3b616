// Compares a response with the API description of its operation.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiDescription, Content, DescribedOperation } from "./requests.ts";

export interface FuzzResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Returns the fault of a response, or null. */
export type CheckResponse = (operation: DescribedOperation, response: FuzzResponse) => string | null;

export function responseChecker(description: ApiDescription): CheckResponse {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, "description");
  const compiled = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const known =
      compiled.get(schema) ??
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"description#')));
    compiled.set(schema, known);
    return known;
  };
  return (operation, { status, contentType, text }) => {
    if (status >= 500) return "a fault of the server";
    const described = operation.responses[status];
    if (described === undefined) return "the status is not described";
    const { content }: Content =
      described.$ref === undefined
        ? described
        : (description.components.responses[described.$ref.split("/").at(-1) ?? ""] ?? {});
    if (content === undefined) return text === "" ? null : "the body is not described";
    const schema = content["application/json"]?.schema;
    if (!contentType.startsWith("application/json")) return schema === undefined ? null : "not JSON";
    if (schema === undefined) return "JSON is not described";
    const validate = validatorOf(schema);
    if (validate(JSON.parse(text))) return null;
    const [fault] = validate.errors ?? [];
    return `${fault?.instancePath} ${fault?.message} ${JSON.stringify(fault?.params)}`;
  };
}
