// Sends one request to the platform. The API description gives the address and the method of each operation.
import {
  type BodyOf,
  type DataOf,
  OPERATIONS,
  type Operation,
  type OperationId,
  type PathOf,
  type QueryOf,
} from "@tradepost/client/operations";
import { type Failure, failureOfResponse, withoutResponse } from "./failure.ts";

export interface Input<Id extends OperationId = OperationId> {
  readonly path?: PathOf<Id>;
  readonly query?: QueryOf<Id>;
  readonly body?: BodyOf<Id>;
}

export interface SendOptions {
  readonly token?: string;
  /** The same key when a request that may have been carried out is sent again. */
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  /** True if the request must be completed even if the user leaves or reloads the page. */
  readonly outlivesPage?: true;
}

export interface Reply<Data> {
  readonly data: Data;
  /** The version of the resource, to be passed as `ifMatch`. */
  readonly etag: string | null;
  /** Null on the last page of a list, and for resources that are not lists. */
  readonly nextCursor: string | null;
  /** The number of items that the filters select, if the query asks for it. */
  readonly counted?: Counted | undefined;
}

export interface Counted {
  readonly count: number;
  readonly countIsMore: boolean;
}

interface Envelope<Data> {
  readonly data: Data;
  readonly page?: { readonly nextCursor: string | null } & Partial<Counted>;
}

/** Rejects with a `Failure`, or as fetch does if `signal` is aborted. */
export async function send<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: SendOptions = {},
): Promise<Reply<DataOf<Id>>> {
  const response = await responseTo(id, input, options);
  const envelope = (await response.json().catch(() => undefined)) as Envelope<DataOf<Id>>;
  return {
    data: envelope.data,
    etag: response.headers.get("etag"),
    nextCursor: envelope.page?.nextCursor ?? null,
    counted: countedOf(envelope.page),
  };
}

function countedOf({ count, countIsMore = false }: Partial<Counted> = {}): Counted | undefined {
  return count === undefined ? undefined : { count, countIsMore };
}

interface FileOptions extends SendOptions {
  readonly onProgress?: (bytes: number) => void;
}

/** Like `send`, for an operation that responds with a file. The browser keeps a large one on its disk. */
export async function sendForFile<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { onProgress, ...options }: FileOptions = {},
): Promise<Blob> {
  const response = await responseTo(id, input, options);
  const counted = onProgress === undefined ? response : withProgress(response, onProgress);
  return await counted.blob().catch((error: unknown): never => {
    throw options.signal?.aborted ? error : withoutResponse();
  });
}

function withProgress(response: Response, onProgress: (bytes: number) => void): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      onProgress(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counter) ?? null, { headers: response.headers });
}

async function responseTo<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: SendOptions,
): Promise<Response> {
  const operation: Operation = OPERATIONS[id];
  const response = await fetch(addressOf(operation, input), {
    method: operation.method,
    headers: headersOf(input.body !== undefined, options),
    body: input.body === undefined ? null : JSON.stringify(input.body),
    // Sends the refresh cookie only with the routes that need it, because its path is /v1/auth.
    credentials: "same-origin",
    keepalive: options.outlivesPage ?? false,
    signal: options.signal ?? null,
  }).catch((error: unknown): never => {
    throw options.signal?.aborted ? error : withoutResponse();
  });
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw failureOfResponse(response.status, response.headers, body) satisfies Failure;
}

export function addressOf(
  operation: Operation,
  { path = {}, query = {} }: { readonly path?: unknown; readonly query?: unknown },
): string {
  const parameters = path as Readonly<Record<string, string>>;
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
  const entries = Object.entries(query as Readonly<Record<string, unknown>>);
  const given = entries.filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function headersOf(hasBody: boolean, { token, idempotencyKey, ifMatch }: SendOptions): Headers {
  const headers = new Headers({ accept: "application/json" });
  if (hasBody) headers.set("content-type", "application/json");
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  if (ifMatch !== undefined) headers.set("if-match", ifMatch);
  return headers;
}
