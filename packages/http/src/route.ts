// One line of a service's route table: who may call it, what goes in, and who answers.
import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import type { FieldFault } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import type { Principal, Role, Scope } from "./principal.ts";

/** A request whose caller is known and permitted and whose body and query are parsed. */
export interface ApiRequest<Body, Query> {
  readonly principal: Principal;
  /** The path's `:id`, a UUID in lower case; empty on a route without one. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  /** Where the route is idempotent and the caller brought a key. */
  readonly idempotencyKey: IdempotencyKey | null;
  readonly requestId: string;
  readonly traceparent: string;
  /** The raw request, for what is neither body nor query: cookies, `If-Match`, the peer's address. */
  readonly raw: IncomingMessage;
}

export interface Route<Body = unknown, Query = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As Express writes it: `/v1/orders/:id`. */
  readonly path: string;
  /** The module that the tenant must have active, or null. */
  readonly module: string | null;
  /** The least role; `"anyone"` for a route without a credential, whose request then carries no real principal. */
  readonly role: Role | "anyone";
  /** The scope that an API key needs, or null. */
  readonly scope: Scope | null;
  /** True where an API key is refused: the route is about the person who is signed in. */
  readonly usersOnly?: true;
  /** A schema for the whole body, or a function where its parts are judged one by one, given the faults beside it. */
  readonly body?: z.ZodType<Body> | ((json: unknown, beside: readonly FieldFault[]) => Body);
  /** The most bytes of a body, 2 MiB unless given: a larger one is 413, also on a route that takes none. */
  readonly bodyBytesMax?: number;
  /** True where no body at all means `{}`. */
  readonly bodyIsOptional?: true;
  /** True where an `Idempotency-Key` is honoured. */
  readonly isIdempotent?: true;
  readonly query?: z.ZodType<Query>;
  readonly handle: (request: ApiRequest<Body, Query>) => Promise<ApiResponse> | ApiResponse;
}

/** Checks one row of the table against its own schemas, and forgets their types so that rows fit one array. */
export function route<Body = undefined, Query = undefined>(row: Route<Body, Query>): Route {
  return row as unknown as Route;
}
