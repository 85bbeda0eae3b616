// A row of a service's route table: who may use the route, its input and its handler.
import type { IncomingMessage } from "node:http";
import type { KeptMembers } from "@tradepost/json";
import type { z } from "zod";
import type { About } from "./about.ts";
import type { FieldFault } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { Principal, Quota, Role, Scope } from "./principal.ts";
import type { Validate } from "./validate.ts";

/** A request as its handler receives it: authenticated, authorized, with parsed body and query. */
export interface ApiRequest<Body, Query> {
  readonly principal: Principal;
  /** The path's `:id`, a UUID in lower case; empty on a route without `:id`. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
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
   * Takes the slot of the response (`response-slots.ts`), on a route that does not take it by itself. Returns undefined if a slot
   * was free, else a promise of it, which rejects with 429.
   */
  readonly takeSlot: () => Promise<void> | undefined;
  /** The raw request, for cookies, `If-Match` and the peer's address. */
  readonly raw: IncomingMessage;
}

/** A row of the route table. */
export interface Route<Body = unknown, Query = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In Express's notation: `/v1/orders/:id`. */
  readonly path: string;
  /** The module that must be active for the tenant, or null. */
  readonly module: string | null;
  /** The lowest role; `"anyone"` for a route without authentication, whose requests have a principal without rights. */
  readonly role: Role | "anyone";
  /** The scope that an API key must have, or null. */
  readonly scope: Scope | null;
  /** True if API keys are refused, because the route is about the user who is signed in. */
  readonly usersOnly?: true;
  /**
   * A schema for the whole body, or a function that validates its parts one by one. `otherFaults` are faults outside the
   * body (of `Idempotency-Key`, `If-Match` and the query), to report together with the faults of the body. `validate` is
   * `validateNew` on a POST, so null means the same as a missing field, and `validate` on all other methods.
   */
  readonly body?:
    | z.ZodType<Body>
    | ((json: unknown, otherFaults: readonly FieldFault[], validate: Validate) => Body);
  /** The members of the body that are stored as the text they came as: metadata and addresses (interface §1). */
  readonly keepsTextOf?: KeptMembers;
  /** The most bytes of a body, 2 MiB by default. A larger body is 413, also on a route that takes none. */
  readonly bodyBytesMax?: number;
  /** True if a missing body means `{}`. */
  readonly bodyIsOptional?: true;
  /** True if the route supports `Idempotency-Key`. */
  readonly isIdempotent?: true;
  /** A strict schema over strings. Without one, every query parameter is 422. */
  readonly query?: z.ZodType<Query>;
  /** What the API description says about the route; null for a route that is not part of the API, such as `/mcp`. */
  readonly about: About | null;
  readonly handle: (request: ApiRequest<Body, Query>) => Promise<ApiResponse> | ApiResponse;
}

/** Checks the types of a row, then erases them so that rows with different inputs fit into one array. */
export function route<Body = undefined, Query = undefined>(row: Route<Body, Query>): Route {
  return row as unknown as Route;
}
