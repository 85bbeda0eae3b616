// The responses of failed requests: one for each status, with its possible codes (interface §1). Pure.
import { type ErrorWithFields, statusOf } from "@tradepost/http";
import type { DescribedRoute } from "./described-route.ts";
import { ERROR_TEXTS, errorsOf } from "./errors.ts";
import { type Components, type JsonSchema, jsonSchemaOf, objectOf } from "./json-schema.ts";

export type Responses = Record<string, unknown>;

/** Returns references by status, and adds their responses to `shared`. */
export function failuresOf(
  row: DescribedRoute,
  shared: { schemas: Components; responses: Responses },
): Record<string, unknown> {
  const byStatus = Map.groupBy(errorsOf(row), ({ code }) => statusOf(code));
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => {
      const response = failureOf(status, errors, shared.schemas);
      return [status, share(shared.responses, nameOf(errors), response)];
    }),
  );
}

/**
 * Adds a response to the shared ones and returns a reference. If another route has the same codes with different fields, it
 * returns the response itself.
 */
function share(responses: Responses, name: string, response: unknown): unknown {
  responses[name] ??= response;
  const isShared = JSON.stringify(responses[name]) === JSON.stringify(response);
  return isShared ? { $ref: `#/components/responses/${name}` } : response;
}

/** `conflict` and `order_exists` give `ConflictOrOrderExists`. */
function nameOf(errors: readonly ErrorWithFields[]): string {
  return errors
    .map(({ code }) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .sort()
    .join("Or");
}

/** The headers of every response to an authenticated request while the rate limit is on. */
export const RATE_LIMIT_HEADERS = [
  ...["RateLimit", "RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
];

/** Returns references to the headers. Leaves out names that are not texts. */
export function headersNamed(...names: readonly (string | false | undefined)[]): Record<string, object> {
  const given = names.filter((name) => typeof name === "string");
  return Object.fromEntries(given.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function failureOf(status: number, errors: readonly ErrorWithFields[], schemas: Components) {
  return {
    description: errors.map(({ code }) => `\`${code}\`: ${ERROR_TEXTS[code]}`).join("\n\n"),
    headers: headersNamed(
      "X-Request-Id",
      status === 401 && "WWW-Authenticate",
      status === 412 && "ETag",
      ...(status === 429 ? RATE_LIMIT_HEADERS : []),
      (status === 429 || status === 503) && "Retry-After",
    ),
    content: {
      "application/json": {
        schema: objectOf({
          success: { type: "boolean", const: false },
          error: errorSchema(errors, schemas),
        }),
      },
    },
  };
}

/** A field that only some of the codes have is optional. */
function errorSchema(errors: readonly ErrorWithFields[], schemas: Components): JsonSchema {
  const codes = errors.map(({ code }) => code);
  const fields = errors.flatMap((error) => Object.entries(error.fields));
  const ofEveryCode = [...new Set(fields.map(([name]) => name))].filter((name) =>
    errors.every((error) => name in error.fields),
  );
  return {
    type: "object",
    properties: {
      code: { type: "string", enum: codes },
      message: { type: "string" },
      requestId: { type: "string" },
      ...(codes.includes("validation_error") && { details: { $ref: "#/components/schemas/FieldFaults" } }),
      ...Object.fromEntries(fields.map(([name, schema]) => [name, jsonSchemaOf(schema, "output", schemas)])),
    },
    required: [
      "code",
      "message",
      "requestId",
      ...(codes.every((code) => code === "validation_error") ? ["details"] : []),
      ...ofEveryCode,
    ],
  };
}
