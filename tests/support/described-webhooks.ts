// The requests to receivers as the section `webhooks` of docs/openapi.json describes them.
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: { readonly type: string };
}
interface Document {
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
}
interface Operation {
  readonly parameters: readonly { readonly $ref: string }[];
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Body } } };
}

interface Body {
  readonly properties: Readonly<Record<string, object>>;
}

const FILE = path.resolve(import.meta.dirname, "../../docs/openapi.json");
// Headers of the connection and the body, which OpenAPI describes elsewhere or not at all.
const OF_THE_TRANSPORT = ["accept-encoding", "connection", "content-length", "content-type", "host"];

/** Returns a function that lists how a request differs from its description; empty if it does not. */
export function describedWebhooks(): (request: { headers: IncomingHttpHeaders; body: Buffer }) => string[] {
  const document = JSON.parse(readFileSync(FILE, "utf8")) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(closed(document) as object, "document");
  const faultsOf = (place: string, schema: object, value: unknown) => {
    const validate = ajv.compile(absolute(closed(schema)) as object);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message}`);
  };
  return ({ headers, body }) => {
    const parsed = JSON.parse(body.toString()) as { type: string };
    const operation = document.webhooks[parsed.type]?.post;
    if (operation === undefined) return [`${parsed.type} is not described`];
    const { schema } = operation.requestBody.content["application/json"];
    const parameters = operation.parameters.map(
      ({ $ref }) => document.components.parameters[$ref.split("/").at(-1) ?? ""] as Parameter,
    );
    const names = parameters.map(({ name }) => name.toLowerCase());
    return [
      ...Object.keys(headers)
        .filter((name) => !names.includes(name) && !OF_THE_TRANSPORT.includes(name))
        .map((name) => `the header ${name} is not described`),
      ...parameters.flatMap(({ name, required, schema: ofHeader }) => {
        const value = headers[name.toLowerCase()];
        if (value === undefined) return required ? [`the header ${name} is missing`] : [];
        return faultsOf(name, ofHeader, ofHeader.type === "integer" ? Number(value) : value);
      }),
      ...faultsOf("body", schema, parsed),
      ...(Object.keys(parsed).join() === Object.keys(schema.properties).join()
        ? []
        : ["the members of the body are in another order"]),
    ];
  };
}

/** Closes all objects. The description leaves them open, because later versions may add fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

/** Makes references name the document, so that a schema can be compiled on its own. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? inner.replace(/^#/, "document#") : absolute(inner),
    ]),
  );
}
