// The requests of a tool to the services, as its caller, through the gateway's own forwarder.
import type { Socket } from "node:net";
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type ErrorCode,
  isUuid,
  notFound,
  type Principal,
} from "@tradepost/http";
import { parseJson } from "@tradepost/json";
import type { RequestSender } from "../entry/entry.ts";

export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly traceparent: string;
  readonly socket: Socket;
  readonly responseHeaders: Record<string, string>;
  readonly caused: string[];
  readonly inTurn: ApiRequest<undefined, undefined>["inTurn"];
}

interface Write {
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
  readonly version?: number | undefined;
}

type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export type ServiceCalls = ReturnType<typeof serviceCalls>;

/** Each function throws an error response as an `ApiError`. */
export function serviceCalls(requests: RequestSender, caller: Caller) {
  // The request to /mcp, which costs 1, pays for the first request.
  let costPaid = 1;
  async function send<Data>(
    method: "GET" | "POST" | "PATCH",
    path: string,
    { body, idempotencyKey, version }: Write,
    endWait?: AbortSignal,
  ) {
    const request = {
      ...caller,
      method,
      path,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      body:
        body === undefined
          ? ({ kind: "none" } as const)
          : ({ kind: "whole", bytes: Buffer.from(JSON.stringify(body)) } as const),
      costPaid,
      ...(endWait && { endWait }),
    };
    costPaid = 0;
    return await requests.send(request, (response) => replyOf<Data>(response, caller.inTurn));
  }
  return {
    get: <Data>(path: string, query: Query = {}, endWait?: AbortSignal) =>
      send<Data>("GET", `${path}${queryOf(query)}`, {}, endWait),
    post: <Data>(path: string, write: Write) => send<Data>("POST", path, write),
    patch: <Data>(path: string, write: Write) => send<Data>("PATCH", path, write),
  };
}

/** An id that is not a UUID is 404. */
export function pathOf(resource: "orders" | "customers" | "entries", id: string, action = ""): string {
  if (!isUuid(id.toLowerCase())) throw notFound(NAMES[resource]);
  return `/v1/${resource}/${id.toLowerCase()}${action}`;
}

const NAMES = { orders: "order", customers: "customer", entries: "entry" };

/** The elements of a list are joined by commas. */
function queryOf(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
}

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly page?: { readonly nextCursor: string | null };
  readonly error?: { readonly code: ErrorCode; readonly message: string } & Record<string, unknown>;
}

async function replyOf<Data>({ status, headers = {}, ...body }: ApiResponse, inTurn: Caller["inTurn"]) {
  const bytes = await bytesOf(body);
  // A cast, because only the services write these envelopes. In turn, because the tool's own work follows at once and takes longer
  // than most requests.
  const { data, page, error } = await inTurn(async () => parseJson(bytes.toString("utf8")) as Envelope);
  if (status >= 200 && status < 300) {
    return {
      data: data as Data,
      nextCursor: page?.nextCursor ?? null,
      isReplayed: headers["idempotent-replayed"] === "true",
    };
  }
  if (error === undefined) throw new Error(`a service responded with ${status} and without an error`);
  const { code, message, details, requestId: _, ...extra } = error;
  const retryAfter = headers["retry-after"];
  throw new ApiError(code, message, {
    ...(details !== undefined && { details: details as { path: string; message: string }[] }),
    extra,
    ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }),
  });
}

// Enough for the largest single order. A page of large orders may exceed it.
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;

async function bytesOf({ bytes, stream }: Pick<ApiResponse, "bytes" | "stream">): Promise<Buffer> {
  if (stream === undefined) return bytes ?? Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the stream.
    if (length > RESPONSE_BYTES_MAX) {
      throw new ApiError("payload_too_large", "The result is too large. Ask for fewer rows with limit.");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

// Tools' names are in snake case, the API's in camel case.

type CamelName<Name> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelName<Rest>>}`
  : Name;

export type CamelCased<Value> = Value extends readonly (infer Element)[]
  ? readonly CamelCased<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value as CamelName<Name> & string]: CamelCased<Value[Name]> }
    : Value;

export function camelCased<Value>(value: Value): CamelCased<Value> {
  return renamed(value) as CamelCased<Value>;
}

function renamed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(renamed);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelCase(name), renamed(inner)]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns these fields of a resource with their names in snake case. */
export function fieldsOf<Resource extends object>(
  resource: Resource,
  ...names: readonly (keyof Resource & string)[]
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [snakeCase(name), resource[name]]));
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
