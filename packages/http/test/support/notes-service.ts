// A service with a few routes over notes that it does not store, and clients that can send it any bytes.
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { createLogger, createMetrics, type Metrics, sleep } from "@tradepost/runtime";
import { z } from "zod";
import { ApiError, notFound } from "../../src/api-error.ts";
import { created, ok } from "../../src/api-response.ts";
import { metadata, text } from "../../src/fields.ts";
import { type Principal, principalNamed } from "../../src/principal.ts";
import type { Readiness } from "../../src/probes.ts";
import { readBytes } from "../../src/read-bytes.ts";
import type { RequestContext } from "../../src/request-context.ts";
import { type ApiRequest, route } from "../../src/route.ts";
import { serveHttp } from "../../src/serve-http.ts";
import { staticFile } from "../../src/serve-page.ts";
import { startListening } from "../../src/start-listening.ts";
import type { UnreadLimits } from "../../src/unread-limit.ts";

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
  readonly body: any;
}

export const JSON_TYPE = "application/json";
export const SMALL_BYTES_MAX = 4 * 1024;
/** The id of the only note that exists. */
export const NOTE_ID = "01900000-0000-7000-8000-000000000000";

const note = z.strictObject({
  title: text(100),
  count: z.int("must be a whole number").optional(),
  color: z.string().default("white"),
  tags: z
    .array(z.strictObject({ name: z.string(), rank: z.number().optional() }))
    .max(100_000)
    .optional(),
  owner: z.strictObject({ name: z.string(), phone: z.string().optional() }).optional(),
  metadata: metadata.optional(),
});
const change = z.strictObject({ title: text(100).optional(), color: z.string().nullable().optional() });
const noteQuery = z.strictObject({ color: z.string().optional(), limit: z.string().optional() });

// A client that sends nothing violates this pace at once.
const IMPATIENT = { graceMs: 50, checkEveryMs: 10, bytesPerSecondMin: 2 ** 30, timeMsMax: 60_000 };

interface NotesOptions {
  readonly unread?: UnreadLimits;
  readonly readiness?: Readiness;
  readonly metrics?: Metrics;
}

/**
 * Starts the service. The header `x-caller` sets the caller: parts of a principal as JSON. Without it, requests get 401. Paths
 * without a route read a body at the strict pace above.
 */
export async function startNotesService({
  unread,
  readiness = {},
  metrics = createMetrics("test"),
}: NotesOptions = {}) {
  const handled: ApiRequest<unknown, unknown>[] = [];
  const listener = await startListening({ host: "127.0.0.1", port: 0, ...(unread && { unread }) });
  const page = staticFile(Buffer.alloc(8 * 1024 * 1024), { "content-type": "application/gzip" });
  const handle = async (request: ApiRequest<unknown, unknown>) => {
    handled.push(request);
    if (request.id !== "" && request.id !== NOTE_ID) throw notFound("note");
    const { title } = (request.body ?? {}) as { title?: string };
    if (title === "taken") throw new ApiError("conflict", "There is such a note.");
    return request.raw.method === "POST" ? created({ id: NOTE_ID }, "/v1/notes/1") : ok({ id: NOTE_ID });
  };
  const writes = { module: "crm", role: "editor", scope: "write:crm" } as const;
  const reads = { module: "crm", role: "viewer", scope: "read:crm" } as const;
  const open = { module: null, role: "anyone", scope: null } as const;
  const rest = { about: null, handle };
  const http = serveHttp({
    listener,
    idleGraceMs: 0,
    routes: [
      route("POST /v1/notes", {
        ...writes,
        isIdempotent: true,
        body: note,
        keepsTextOf: ["metadata"],
        ...rest,
      }),
      route("GET /v1/notes", { ...reads, query: noteQuery, ...rest }),
      route("GET /v1/notes/:id", { ...reads, ...rest }),
      route("PATCH /v1/notes/:id", { ...writes, body: change, ...rest }),
      route("DELETE /v1/notes/:id", { ...writes, ...rest }),
      route("POST /v1/notes/:id/print", { ...writes, ...rest }),
      route("POST /v1/open", {
        ...open,
        body: note,
        bodyBytesMax: SMALL_BYTES_MAX,
        bodyIsOptional: true as const,
        ...rest,
      }),
      route("POST /v1/empty", { ...open, bodyBytesMax: SMALL_BYTES_MAX, ...rest }),
    ],
    identify: ({ req }) => callerOf(req.headers["x-caller"]),
    pages: [{ path: "/large", find: () => page }],
    fallback: readImpatiently,
    readiness,
    replicated: async () => {},
    logger: createLogger("test", "silent"),
    metrics,
    metricsOn: "this port",
    isUnavailable: () => false,
  });
  const send = async (
    method: string,
    path: string,
    body?: string | Buffer,
    headers: Record<string, string> = { "content-type": JSON_TYPE },
  ): Promise<Response> => {
    const response = await fetch(`${http.url}${path}`, {
      method,
      headers: { ...CALLER, ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    port: Number(new URL(http.url).port),
    server: listener.server,
    /** The requests that reached a handler. */
    handled,
    /** Sends a request as an owner, unless `headers` set another `x-caller`. */
    send,
    closePort: http.closePort,
    stop: http.stop,
  };
}

/** Empties `handled` before each test of the file. */
export async function useNotesService(unread?: UnreadLimits) {
  const service = await startNotesService({ ...(unread && { unread }) });
  beforeEach(() => {
    service.handled.length = 0;
  });
  afterAll(() => service.stop());
  return service;
}

const CALLER = { "x-caller": "{}" };

function callerOf(header: string | string[] | undefined): Principal {
  if (typeof header !== "string" || header === "") throw new ApiError("unauthorized", "Who are you?");
  const owner = principalNamed("Ada", "owner", randomUUID());
  return { ...owner, modules: ["crm"], ...(JSON.parse(header) as Partial<Principal>) };
}

async function readImpatiently({ req }: RequestContext) {
  return req.url === "/impatient" ? ok({ bytes: (await readBytes(req, undefined, IMPATIENT)).length }) : null;
}

/** Returns the head of a request of an owner. `lines` follow the usual header lines. */
export function head(requestLine: string, ...lines: string[]): string {
  return [`${requestLine} HTTP/1.1`, "Host: x", `Content-Type: ${JSON_TYPE}`, "X-Caller: {}", ...lines]
    .map((line) => `${line}\r\n`)
    .join("")
    .concat("\r\n");
}

/** Encodes a body as one chunk and the end of the chunks. */
export function asChunk(body: string): string {
  return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

const LOOK_EVERY_MS = 5;

/** Opens a connection and records what it receives. `closed` resolves when the connection has ended. */
export function open({ port }: { port: number }, { allowHalfOpen = false } = {}) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen }).setEncoding("latin1");
  const state = { socket, received: "", hasEnded: false, errors: [] as Error[] };
  socket.on("data", (data) => {
    state.received += data;
  });
  socket.on("end", () => {
    state.hasEnded = true;
  });
  // The server may close the connection while the client still sends.
  socket.on("error", (error) => state.errors.push(error));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const statuses = () =>
    Array.from(state.received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status));
  return {
    state,
    socket,
    closed,
    statuses,
    /** Resolves when `look` returns true for what was received. */
    until: async (look: () => boolean) => {
      while (!look()) await sleep(LOOK_EVERY_MS);
    },
  };
}

/** Sends bytes on a new connection. Resolves with everything received when the server has closed it. */
export async function sendBytes(service: { port: number }, bytes: string): Promise<string> {
  const { socket, state, closed } = open(service);
  socket.write(bytes, "latin1");
  await closed;
  return state.received;
}

export function bodyOf(received: string): unknown {
  return JSON.parse(received.slice(received.indexOf("\r\n\r\n") + 4));
}
