// Runs one row of the route table for one request: who (401), may they (403), what came in (415, 413, 400, 422),
// then the handler. The order is contract §1's, and stands here alone.
import type { Answer } from "./answer.ts";
import { notFound } from "./api-error.ts";
import type { Call, Identify } from "./call.ts";
import { idempotencyKeyFaults, idempotencyKeyOf } from "./idempotency.ts";
import { permit } from "./permit.ts";
import type { Principal } from "./principal.ts";
import { readJsonBody } from "./read-body.ts";
import { readBytes } from "./read-bytes.ts";
import { readQuery } from "./read-query.ts";
import type { Route } from "./route.ts";
import { isUuid } from "./uuid.ts";
import { validate } from "./validate.ts";

/** Resolves with the handler's answer; rejects with the ApiError of the first check that fails. */
export async function answerRoute(
  row: Route,
  call: Call,
  params: Readonly<Record<string, string | string[]>>,
  identify: Identify,
): Promise<Answer> {
  const principal = row.role === "anyone" ? NOBODY : await identify(call);
  if (row.role !== "anyone") {
    call.principal = principal;
    const { module, role, scope, usersOnly } = row;
    permit(principal, { module, role, scope, usersOnly });
  }
  const json = await jsonOf(row, call);
  const body = row.body && readBody(row, row.body, json, call);
  const query = row.query && readQuery(row.query, call.req.url ?? "");
  return await row.answer({
    principal,
    id: idOf(params.id),
    params: params as Readonly<Record<string, string>>,
    body,
    query,
    idempotencyKey: row.isIdempotent
      ? await idempotencyKeyOf(call.req, `${row.method} ${row.path}`, json)
      : null,
    requestId: call.requestId,
    traceparent: call.traceparent,
    raw: call.req,
  });
}

/** A route without a body reads none, but for one that bounds it: what comes is then read and dropped. */
async function jsonOf({ body, bodyBytesMax, bodyIsOptional }: Route, { req }: Call): Promise<unknown> {
  if (body !== undefined) {
    return await readJsonBody(req, { bytesMax: bodyBytesMax, whenEmpty: bodyIsOptional ? {} : undefined });
  }
  if (bodyBytesMax !== undefined) await readBytes(req, bodyBytesMax);
  return undefined;
}

function readBody(row: Route, parse: NonNullable<Route["body"]>, json: unknown, call: Call): unknown {
  const faults = row.isIdempotent ? idempotencyKeyFaults(call.req) : [];
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
