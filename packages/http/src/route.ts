// A row of a service's route table: who may use the route, its input and its handler.
import type { IncomingMessage } from "node:http";
import type { KeptMembers } from "@tradepost/json";
import { z } from "zod";
import type { About } from "./about.ts";
import type { FieldFault } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { Principal, Quota, Role, Scope } from "./principal.ts";
import type { Validate } from "./validate.ts";

/** A request as its handler receives it: authenticated and authorized, with a parsed body and query. */
export interface ApiRequest<Body, Query> {
  readonly principal: Principal;
  /** The `:id` of the path, a UUID in lower case. Empty on a route without `:id`. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /**
   * Returns the body for a resource with the values of `stored`. If the request is a JSON merge patch and the route has
   * `mergeLevels`, the objects of the body are merged into those of `stored`, and the result is validated (interface §1). Otherwise
   * it is `body`. The handler calls it with the values that it then replaces under a lock or a version.
   *
   * @throws 422 `validation_error`.
   */
  readonly bodyFor: (stored: object) => Body;
  readonly query: Query;
  /** Null if the route is not idempotent or the request has no key. */
  readonly idempotencyKey: IdempotencyKey | null;
  readonly requestId: string;
  readonly traceparent: string;
  /**
   * Throws 409 `quota_exceeded` if the request would add to a quota that the tenant has used up. Never throws in a DELETE, even
   * though it may write an event.
   */
  readonly admit: (quota: Quota) => void;
  /**
   * Takes the slot of a heavy response (`response-slots.ts`), on a route that does not take it by itself. Returns undefined if a
   * slot was free, else a promise of it, which rejects with 429.
   */
  readonly takeSlot: () => Promise<void> | undefined;
  /** Does a part of a long response in such a slot, which it waits for as long as `waitMsMax`; then it rejects with 429. */
  readonly inTurn: <Result>(work: () => Promise<Result>, waitMsMax?: number) => Promise<Result>;
  /** The raw request, for cookies, `If-Match` and the address of the peer. */
  readonly raw: IncomingMessage;
}

/** A row of the route table. */
export interface Route<Body = unknown, Query = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In Express's notation: `/v1/orders/:id`. */
  readonly path: string;
  /** The module that must be active for the tenant; null if none is needed. */
  readonly module: string | null;
  /** The lowest role that may use the route. `"anyone"` means no authentication: the principal then has no rights. */
  readonly role: Role | "anyone";
  /** The scope that an API key needs; null if none is needed. */
  readonly scope: Scope | null;
  /** True if the route refuses API keys, because it concerns the signed-in user. */
  readonly usersOnly?: true;
  /**
   * A schema for the whole body, or a function that validates its parts one by one. `otherFaults` are the faults of
   * `Idempotency-Key`, `If-Match` and the query, which are reported together with the faults of the body. `validate` is
   * `validateNew` on a POST, where null means the same as a missing field, and `validate` on other methods. Without a schema, any
   * field is 422; see `bodyOf`.
   */
  readonly body?:
    | z.ZodType<Body>
    | ((json: unknown, otherFaults: readonly FieldFault[], validate: Validate) => Body);
  /** The members of the body that are stored verbatim, as the text that was received: metadata and addresses (interface §1). */
  readonly keepsTextOf?: KeptMembers;
  /**
   * Set on a PATCH whose body has objects; its handler then uses `bodyFor` in place of `body`. It is the number of levels at which
   * each member is a change of its own, and null stays null. Objects below them are merged. 2 for entries, whose `data` lists fields.
   */
  readonly mergeLevels?: 1 | 2;
  /** The largest body, in bytes; 2 MiB by default. A larger body is 413. */
  readonly bodyBytesMax?: number;
  /** True if the handler reads the body of the raw request, such as a form. */
  readonly readsBodyItself?: true;
  /** True if a missing body means `{}`. */
  readonly bodyIsOptional?: true;
  /** True if the route supports `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** A strict schema over strings. Without one, any query parameter is 422. */
  readonly query?: z.ZodType<Query>;
  /** True if the response is heavy although it is not a page of a list; see `response-slots.ts`. */
  readonly isHeavy?: true;
  /** Describes the route for the API description; null for a route outside the API, such as `/mcp`. */
  readonly about: About | null;
  readonly handle: (request: ApiRequest<Body, Query>) => Promise<ApiResponse> | ApiResponse;
}

const NO_FIELDS = z.strictObject({});

/**
 * Returns the schema of the body; undefined if the body is ignored, as of a GET, or if the handler reads it. A change without a
 * schema takes nothing or `{}`: a caller who sends more, such as `{"dryRun":true}`, expects something else than would happen.
 */
export function bodyOf({ method, body, readsBodyItself }: Route): Route["body"] {
  return method === "GET" || readsBodyItself ? undefined : (body ?? NO_FIELDS);
}

/**
 * Returns the row with its types erased, so that rows with different inputs fit into one array. The call checks the types first.
 */
export function route<Body = undefined, Query = undefined>(row: Route<Body, Query>): Route {
  return row as unknown as Route;
}
