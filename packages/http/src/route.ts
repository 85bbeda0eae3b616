import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { About } from "./about.ts";
import type { ApiError, FieldFault } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { Principal, Requirement, Role } from "./principal.ts";
import type { Validate } from "./validate.ts";

/** A request as its handler receives it, after all checks. */
export interface ApiRequest<Body, Query> {
  readonly principal: Principal;
  /** In lower case; empty on a route without `:id`. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /**
   * Returns the body for a resource with the values of `stored`: a JSON merge patch, on a route with `mergeLevels`, is merged
   * into them and validated (interface §1). Pass the values that you then replace under a lock or a version.
   * @throws 422 `validation_error`.
   */
  readonly bodyFor: (stored: object) => Body;
  readonly query: Query;
  /** Null if the route is not idempotent or the request has no key. */
  readonly idempotencyKey: IdempotencyKey | null;
  readonly requestId: string;
  readonly traceparent: string;
  /** Adding an event adds its id; a handler removes the ids of events that it does not commit. */
  readonly caused: string[];
  /** Takes the slot of a heavy response (`response-slots.ts`). Returns undefined if one was free; may reject with 429. */
  readonly takeSlot: () => Promise<void> | undefined;
  /** Does a part of a long response while the tenant works on no heavy one. Rejects with 429 after `waitMsMax`. */
  readonly inTurn: <Result>(work: () => Promise<Result>, waitMsMax?: number) => Promise<Result>;
  /** For cookies, `If-Match` and the address of the peer. */
  readonly raw: IncomingMessage;
}

interface Row<Body, Query> {
  /** Must be active for the tenant. */
  readonly module: string | null;
  /** The lowest role. `"anyone"` means no authentication: the principal then has no rights. */
  readonly role: Role | "anyone";
  readonly scope: Requirement["scope"];
  /** Refuses API keys, because the route concerns the signed-in user. */
  readonly usersOnly?: true;
  /**
   * A schema, or a function that validates the body's parts. `otherFaults`, of headers and the query, are reported with those of the body.
   * `validate` is `validateNew` on a POST, and `text` the body's JSON text. Without either, any field is 422.
   */
  readonly body?:
    | z.ZodType<Body>
    | ((json: unknown, otherFaults: readonly FieldFault[], validate: Validate, text: string) => Body);
  /** The members of the body that arrive as `ReceivedJson`, for schemas made by `withText`. */
  readonly keepsTextOf?: readonly string[];
  /**
   * On a PATCH whose handler uses `bodyFor`: at how many levels each member is a change of its own, and null stays null. Objects
   * below are merged. 2 for entries, whose `data` lists fields.
   */
  readonly mergeLevels?: 1 | 2;
  /** 2 MiB by default. A larger body is 413. */
  readonly bodyBytesMax?: number;
  readonly readsBodyItself?: true;
  /** A missing body means `{}`. */
  readonly bodyIsOptional?: true;
  readonly isIdempotent?: true;
  /** A strict schema over strings. Without one, any query parameter is 422. */
  readonly query?: z.ZodType<Query>;
  /** For a response that is heavy although it is not a page of a list; see `response-slots.ts`. */
  readonly isHeavy?: true;
  /** Null for a route outside the API, such as `/mcp`. */
  readonly about: About | null;
  /** Responds in place of the error's envelope, for a browser's navigation. */
  readonly onError?: (error: ApiError) => ApiResponse;
  readonly handle: (request: ApiRequest<Body, Query>) => Promise<ApiResponse> | ApiResponse;
}

export interface Route<Body = unknown, Query = unknown> extends Row<Body, Query> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As in `pathIndex`: `/v1/orders/:id`. */
  readonly path: string;
}

const NO_FIELDS = z.strictObject({});

/**
 * Returns undefined if the body is ignored, as of a GET, or the handler reads it. A change without a schema takes nothing or `{}`: a caller
 * who sends `{"dryRun":true}` expects a different effect.
 */
export function bodyOf({ method, body, readsBodyItself }: Route): Route["body"] {
  return method === "GET" || readsBodyItself ? undefined : (body ?? NO_FIELDS);
}

/** Returns the route of an address such as `GET /v1/orders/:id`. Routes with different inputs fit into one array. */
export function route<Body = undefined, Query = undefined>(
  address: `${Route["method"]} /${string}`,
  row: Row<Body, Query>,
): Route {
  const [method, path] = address.split(" ");
  return { method, path, ...row } as unknown as Route;
}
