// Handles a request of one route. Only this file decides the order of the checks (interface §1).
import type { IncomingMessage } from "node:http";
import { changesOfPatch, keepTexts, parseJson, writeJson } from "@tradepost/json";
import { ApiError, type FieldFault, invalid } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { ifMatchFaults, withoutKnownBody } from "./conditional-requests.ts";
import { isUuid } from "./fields.ts";
import { idempotencyKeyFaults, idempotencyKeyOf } from "./idempotency.ts";
import type { AcquireSlot } from "./in-flight-limit.ts";
import { type Principal, permit, principalNamed } from "./principal.ts";
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
  params: Readonly<Record<string, string>>,
  { identify, slots, replicated }: Server,
): Promise<ApiResponse> {
  const { req } = context;
  // 401, 403
  const principal = await authorize(row, context, identify);
  const schema = bodyOf(row);
  // 415, 413, 400
  const read = await readJson(row, schema, context);
  // 422
  const { body, bodyFor } = bodiesOf(row, schema, read, req);
  const query = row.query && readQuery(row.query, req.url ?? "");
  // 429
  const { hold, beginTurn } = slotsOf(principal, context, slots);
  const slot = slotOf(row);
  if (slot !== null) await hold(slots[slot]);
  // 404
  const id = idOf(params.id);
  const request = {
    ...{ principal, id, params, bodyFor, query },
    body: row.body && body,
    idempotencyKey: row.isIdempotent
      ? await idempotencyKeyOf(req, `${row.method} ${row.path}`, row.body && read.json)
      : null,
    requestId: context.requestId,
    traceparent: context.traceparent,
    caused: context.caused,
    takeSlot: () => hold(slots.heavy),
    inTurn: async <Result>(work: () => Promise<Result>, waitMsMax?: number) => {
      const endTurn = await beginTurn(waitMsMax);
      return await work().finally(endTurn);
    },
    raw: req,
  };
  const endTurn = slot === "heavy" ? await beginTurn() : undefined;
  try {
    if (row.method !== "GET") return await onceReplicated(async () => row.handle(request), replicated);
    const response = withLink(req, await row.handle(request));
    return row.about?.ignoresIfNoneMatch ? response : withoutKnownBody(req, response);
  } finally {
    if (endTurn !== undefined) context.workMs = endTurn();
  }
}

async function authorize(
  { module, role, scope, usersOnly }: Route,
  context: RequestContext,
  identify: Identify,
): Promise<Principal> {
  if (role === "anyone") return principalNamed("anyone");
  const principal = await identify(context);
  context.principal = principal;
  permit(principal, { module, role, scope, usersOnly });
  return principal;
}

function slotsOf({ tenantId }: Principal, { req: { socket }, atEnd }: RequestContext, slots: ResponseSlots) {
  return {
    /** Takes a slot until the response is written. Returns undefined if one was free. */
    hold: (acquire: AcquireSlot): Promise<void> | undefined => {
      const slot = acquire(tenantId, socket);
      if (slot instanceof Promise) return slot.then(atEnd);
      atEnd(slot);
      return undefined;
    },
    beginTurn: (waitMsMax?: number) => slots.takeTurn(tenantId, socket, waitMsMax),
  };
}

/** The response to a change is about as large as its body. */
function slotOf({ method, role, about, isHeavy }: Route): "heavy" | "resource" | null {
  if (isHeavy) return "heavy";
  if (method !== "GET" || role === "anyone") return null;
  const kind = about?.responses[200]?.kind;
  if (kind === "page") return "heavy";
  return kind === "data" ? "resource" : null;
}

/**
 * Delays responses that may state an earlier request's commit until that commit is replicated: a replay, a change without effect, a
 * conflict. A 201 states this request's own commit.
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

function withLink({ url = "" }: IncomingMessage, response: ApiResponse): ApiResponse {
  const { page } = (response.body ?? {}) as { page?: { nextCursor?: string | null } };
  if (typeof page?.nextCursor !== "string") return response;
  const [path, query] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.set("cursor", page.nextCursor);
  return { ...response, headers: { ...response.headers, link: `<${path}?${parameters}>; rel="next"` } };
}

async function readJson(
  { body, bodyBytesMax, bodyIsOptional }: Route,
  schema: Route["body"],
  { req, checkBody }: RequestContext,
): Promise<JsonText> {
  if (schema === undefined) return { text: "", json: undefined };
  return await readJsonText(req, {
    bytesMax: bodyBytesMax,
    whenEmpty: bodyIsOptional || body === undefined ? {} : undefined,
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
    // Otherwise `readQuery` throws the faults of the query.
    ...(query !== undefined && schema !== undefined ? queryFaults(query, req.url ?? "") : []),
  ];
}

/** `bodyFor` is that of `ApiRequest`; a merge patch is parsed only there. */
function bodiesOf(row: Route, schema: Route["body"], read: JsonText, req: IncomingMessage) {
  const otherFaults = faultsOutsideBody(row, schema, req);
  const { mergeLevels = 0 } = row;
  if (mergeLevels === 0 || !isMergePatch(req)) {
    const body = parseBody(row, schema, read, otherFaults);
    return { body, bodyFor: () => body };
  }
  const bodyFor = (stored: object) => {
    const text = changesOfPatch(writeJson(stored), read.text, mergeLevels);
    return parseBody(row, schema, { text, json: parseJson(text) }, otherFaults);
  };
  return { body: undefined, bodyFor };
}

function parseBody(
  { method, keepsTextOf = [] }: Route,
  schema: Route["body"],
  { text, json }: JsonText,
  otherFaults: readonly FieldFault[],
): unknown {
  const validateBody = method === "POST" ? validateNew : validate;
  keepTexts(text, json, keepsTextOf);
  if (typeof schema === "function") return schema(json, otherFaults, validateBody, text);
  if (schema !== undefined) return validateBody(schema, json, otherFaults);
  if (otherFaults.length > 0) throw invalid(otherFaults);
  return undefined;
}

/** A malformed id matches nothing: 404. */
function idOf(param: string | undefined): string {
  if (param === undefined) return "";
  const id = param.toLowerCase();
  if (!isUuid(id)) throw new ApiError("not_found", "Not found.");
  return id;
}
