// Extracts the facts about operations that the client needs from the API description. Pure.
import type { Operation as Described, Document } from "@tradepost/api-description";
import { METHODS } from "./methods.ts";

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly { readonly name: string; readonly type: "number" | "string" }[];
  readonly kind: "plain" | "list" | "feed" | "file" | "bare";
  readonly input: "none" | "query" | "body" | "form";
  readonly isInputRequired: boolean;
  readonly takesKey: boolean;
  readonly takesIfMatch: boolean;
  readonly takesIfNoneMatch: boolean;
  /** The resource and method of the client, such as `orders` and `place`; null if METHODS lacks the operation. */
  readonly place: { readonly resource: string; readonly name: string } | null;
}

export function operationsOf(description: Readonly<Record<string, unknown>>): Operation[] {
  const { paths } = description as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // Operations that only redirect are for browsers.
      .filter(([, { responses }]) => !("302" in responses))
      .map(([method, described]) => operationOf(method.toUpperCase(), path, described)),
  );
  return operations.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
}

const PLACES = Object.entries(METHODS).flatMap(([resource, methods]) =>
  Object.entries(methods).map(([name, id]) => ({ resource, name, id })),
);

function rank({ id }: Operation): number {
  const at = PLACES.findIndex((place) => place.id === id);
  return at < 0 ? PLACES.length : at;
}

function operationOf(method: string, path: string, described: Described): Operation {
  const { operationId: id, summary, description, parameters = [], requestBody } = described;
  const has = (where: string, name: string) =>
    parameters.some((parameter) => parameter.in === where && parameter.name === name);
  const query = parameters.filter((parameter) => parameter.in === "query");
  const place = PLACES.find((candidate) => candidate.id === id);
  return {
    id,
    method,
    path,
    summary,
    description,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      name,
      type:
        parameters.find((parameter) => parameter.name === name)?.schema?.type === "integer"
          ? "number"
          : "string",
    })),
    kind: kindOf(described, has),
    ...(requestBody === undefined
      ? {
          input: query.length === 0 ? "none" : "query",
          isInputRequired: query.some(({ required }) => required),
        }
      : {
          input: "application/json" in (requestBody.content ?? {}) ? "body" : "form",
          isInputRequired: requestBody.required ?? false,
        }),
    takesKey: has("header", "Idempotency-Key"),
    takesIfMatch: has("header", "If-Match"),
    takesIfNoneMatch: has("header", "If-None-Match"),
    place: place === undefined ? null : { resource: place.resource, name: place.name },
  };
}

function kindOf({ responses }: Described, has: (where: string, name: string) => boolean): Operation["kind"] {
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const content = success?.[1].content ?? {};
  const json = content["application/json"];
  if (json === undefined) return Object.keys(content).length > 0 ? "file" : "plain";
  if (json.schema?.properties?.success === undefined) return "bare";
  if (has("query", "waitSeconds")) return "feed";
  return has("query", "cursor") ? "list" : "plain";
}
