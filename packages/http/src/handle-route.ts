// Handles a request of one route: authentication (401), authorization (403), input (415, 413, 400, 422), the slot for its
// response (429), then the handler. Only this file decides the order of the checks (interface §1).
import type { IncomingMessage } from "node:http";
import { changesOfPatch, keepTexts, parseJson, writeJson } from "@tradepost/json";
import { ApiError, type FieldFault, invalid } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { ifMatchFaults, withoutKnownBody } from "./conditional-requests.ts";
import { isUuid } from "./fields.ts";
import { idempotencyKeyFaults, idempotencyKeyOf } from "./idempotency.ts";
import type { AcquireSlot } from "./in-flight-limit.ts";
import { type Principal, permit } from "./principal.ts";
import { isMergePatch, type JsonText, readJsonText } from "./read-body.ts";
import { queryFaults, readQuery, refusedParameters } from "./read-query.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import type { ResponseSlots } from "./response-slots.ts";
import { bodyOf, type Route } from "./route.ts";
import { validate, validateNew } from "./validate.ts";

interface Server {
  readonly identify: Identify;
  readonly slots: ResponseSlots;
  readonly replicated: () => Promise<void>;
}

/** Rejects with the ApiError of the first check that fails. */
export async function handleRoute(
  row: Route,
  context: RequestContext,
  params: Readonly<Record<string, string | string[]>>,
  { identify, slots, replicated }: Server,
): Promise<ApiResponse> {
  const principal = row.role === "anyone" ? ANONYMOUS : await identify(context);
  if (row.role !== "anyone") {
    context.principal = principal;
    const { module, role, scope, usersOnly } = row;
    permit(principal, { module, role, scope, usersOnly });
  }
  const schema = bodyOf(row);
  const read = await readJson(row, schema, context);
  const { body, bodyFor } = bodiesOf(row, schema, read, context.req);
  const query = row.query && readQuery(row.query, context.req.url ?? "");
  const hold = (acquire: AcquireSlot) => {
    const slot = acquire(principal.tenantId, context.req.socket);
    if (slot instanceof Promise) return slot.then(context.atEnd);
    context.atEnd(slot);
    return undefined;
  };
  const isHeavyRow = isHeavy(row);
  if (isHeavyRow) await hold(slots.heavy);
  else if (readsWhole(row)) await hold(slots.resource);
  const request = {
    principal,
    id: idOf(params.id),
    params: params as Readonly<Record<string, string>>,
    body: row.body && body,
    bodyFor,
    query,
    idempotencyKey: row.isIdempotent
      ? await idempotencyKeyOf(context.req, `${row.method} ${row.path}`, row.body && read.json)
      : null,
    requestId: context.requestId,
    traceparent: context.traceparent,
    takeSlot: () => hold(slots.heavy),
    inTurn: async <Result>(work: () => Promise<Result>, waitMsMax?: number) => {
      const endTurn = await slots.takeTurn(principal.tenantId, context.req.socket, waitMsMax);
      return await work().finally(endTurn);
    },
    raw: context.req,
  };
  const endTurn = isHeavyRow ? await slots.takeTurn(principal.tenantId, context.req.socket) : undefined;
  try {
    if (row.method === "GET") {
      return withoutKnownBody(context.req, withLink(context.req, await row.handle(request)));
    }
    return await onceReplicated(async () => row.handle(request), replicated);
  } finally {
    if (endTurn !== undefined) context.workMs = endTurn();
  }
}

/**
 * Delays responses that may state what an earlier request committed, until that commit is replicated: a replay, a change without
 * effect, a conflict. A 201 states this request's own commit, which has already waited.
 */
async function onceReplicated(
  handle: () => Promise<ApiResponse>,
  replicated: () => Promise<void>,
): Promise<ApiResponse> {
  try {
    const response = await handle();
    const isReplay = response.headers?.["idempotent-replayed"] === "true";
    if (response.status !== 201 || isReplay) await replicated();
    return response;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await replicated();
    throw error;
  }
}

function isHeavy({ method, role, about, isHeavy: isMarked }: Route): boolean {
  return (
    isMarked === true || (method === "GET" && role !== "anyone" && about?.responses[200]?.kind === "page")
  );
}

/** The response to a change is about as large as its body. */
function readsWhole({ method, role, about }: Route): boolean {
  return method === "GET" && role !== "anyone" && about?.responses[200]?.kind === "data";
}

/** Adds a `Link` to the next page of a list. */
function withLink({ url = "" }: IncomingMessage, response: ApiResponse): ApiResponse {
  const { page } = (response.body ?? {}) as { page?: { nextCursor?: string | null } };
  if (typeof page?.nextCursor !== "string") return response;
  const [path, query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("cursor", page.nextCursor);
  return { ...response, headers: { ...response.headers, link: `<${path}?${parameters}>; rel="next"` } };
}

async function readJson(
  { body, bodyBytesMax, bodyIsOptional, keepsTextOf }: Route,
  schema: Route["body"],
  { req, checkBody }: RequestContext,
): Promise<JsonText> {
  if (schema === undefined) return { text: "", json: undefined };
  return await readJsonText(req, {
    bytesMax: bodyBytesMax,
    whenEmpty: bodyIsOptional || body === undefined ? {} : undefined,
    kept: keepsTextOf,
    check: checkBody,
  });
}

function faultsOutsideBody(
  { isIdempotent, query, about }: Route,
  schema: Route["body"],
  req: IncomingMessage,
): FieldFault[] {
  return [
    ...(isIdempotent ? idempotencyKeyFaults(req) : []),
    ...(about?.ifMatch ? ifMatchFaults(req) : []),
    ...(query === undefined ? refusedParameters(req.url ?? "") : []),
    // Without a body, `readQuery` throws the faults of the query.
    ...(query !== undefined && schema !== undefined ? queryFaults(query, req.url ?? "") : []),
  ];
}

/** `bodyFor` is that of `ApiRequest`; a merge patch is parsed only there. */
function bodiesOf(row: Route, schema: Route["body"], { text, json }: JsonText, req: IncomingMessage) {
  const otherFaults = faultsOutsideBody(row, schema, req);
  const { mergeLevels = 0, keepsTextOf } = row;
  if (mergeLevels === 0 || !isMergePatch(req)) {
    const body = parseBody(row, schema, json, otherFaults);
    return { body, bodyFor: () => body };
  }
  const bodyFor = (stored: object) => {
    const merged = changesOfPatch(writeJson(stored), text, mergeLevels);
    const mergedJson = parseJson(merged);
    if (keepsTextOf !== undefined) keepTexts(merged, mergedJson, keepsTextOf);
    return parseBody(row, schema, mergedJson, otherFaults);
  };
  return { body: undefined, bodyFor };
}

function parseBody(
  { method }: Route,
  schema: Route["body"],
  json: unknown,
  otherFaults: readonly FieldFault[],
): unknown {
  const validateBody = method === "POST" ? validateNew : validate;
  if (typeof schema === "function") return schema(json, otherFaults, validateBody);
  if (schema !== undefined) return validateBody(schema, json, otherFaults);
  if (otherFaults.length > 0) throw invalid(otherFaults);
  return undefined;
}

/** Returns an empty id for a malformed one, so that it matches nothing: 404. */
function idOf(param: string | string[] | undefined): string {
  if (param === undefined) return "";
  const id = String(param).toLowerCase();
  if (!isUuid(id)) throw new ApiError("not_found", "Not found.");
  return id;
}

const ANONYMOUS: Principal = {
  tenantId: "00000000-0000-0000-0000-000000000000",
  role: "viewer",
  actor: { type: "user", id: "00000000-0000-0000-0000-000000000000", name: "anyone" },
  scopes: [],
  modules: [],
};
