// Runs one row of the route table for one request: who (401), may they (403), what came in (415, 413, 400, 422),
// then the handler. The order is contract §1's, and stands here alone.

import { notFound } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { idempotencyKeyFaults, idempotencyKeyOf } from "./idempotency.ts";
import { permit } from "./permit.ts";
import type { Principal } from "./principal.ts";
import { readJsonBody } from "./read-body.ts";
import { readBytes } from "./read-bytes.ts";
import { readQuery } from "./read-query.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import type { Route } from "./route.ts";
import { isUuid } from "./uuid.ts";
import { validate } from "./validate.ts";

/** Resolves with the handler's answer; rejects with the ApiError of the first check that fails. */
export async function handleRoute(
  row: Route,
  context: RequestContext,
  params: Readonly<Record<string, string | string[]>>,
  identify: Identify,
): Promise<ApiResponse> {
  const principal = row.role === "anyone" ? NOBODY : await identify(context);
  if (row.role !== "anyone") {
    context.principal = principal;
    const { module, role, scope, usersOnly } = row;
    permit(principal, { module, role, scope, usersOnly });
  }
  const json = await jsonOf(row, context);
  const body = row.body && readBody(row, row.body, json, context);
  const query = row.query && readQuery(row.query, context.req.url ?? "");
  return await row.handle({
    principal,
    id: idOf(params.id),
    params: params as Readonly<Record<string, string>>,
    body,
    query,
    idempotencyKey: row.isIdempotent
      ? await idempotencyKeyOf(context.req, `${row.method} ${row.path}`, json)
      : null,
    requestId: context.requestId,
    traceparent: context.traceparent,
    raw: context.req,
  });
}

/** A route without a body reads none, but for one that bounds it: what comes is then read and dropped. */
async function jsonOf(
  { body, bodyBytesMax, bodyIsOptional }: Route,
  { req }: RequestContext,
): Promise<unknown> {
  if (body !== undefined) {
    return await readJsonBody(req, { bytesMax: bodyBytesMax, whenEmpty: bodyIsOptional ? {} : undefined });
  }
  if (bodyBytesMax !== undefined) await readBytes(req, bodyBytesMax);
  return undefined;
}

function readBody(
  row: Route,
  parse: NonNullable<Route["body"]>,
  json: unknown,
  context: RequestContext,
): unknown {
  const faults = row.isIdempotent ? idempotencyKeyFaults(context.req) : [];
  return typeof parse === "function" ? parse(json, faults) : validate(parse, json, faults);
}

/** Whatever is no UUID names nothing: 404, as an id of another tenant's would be. */
function idOf(given: string | string[] | undefined): string {
  if (given === undefined) return "";
  const id = String(given).toLowerCase();
  if (!isUuid(id)) throw notFound("id");
  return id;
}

// What a route for anyone gets in place of a caller; it belongs to no tenant and may do nothing.
const NOBODY: Principal = {
  tenantId: "00000000-0000-0000-0000-000000000000",
  role: "viewer",
  actor: { type: "user", id: "00000000-0000-0000-0000-000000000000", name: "anyone" },
  scopes: [],
  modules: [],
};
