// Forwards a request to the service that owns its path, with the caller signed into headers. `send` does so for assistants'
// tools, under the same limits.
import type { Socket } from "node:net";
import type { AcquireSlot, ApiResponse, Identify, Principal, RequestContext } from "@tradepost/http";
import type { Dispatcher } from "undici";
import type { Settings } from "../config.ts";
import type { CountLimited } from "../limits/limits.ts";
import type { ServiceName } from "../services.ts";
import { addressOf } from "./ask-service.ts";
import type { ConfirmEmails } from "./confirm-emails.ts";
import { exchange, type Outgoing, openPool, type Upstream } from "./exchange.ts";
import { type AdmitMediaLink, isForMediaLink, LINK_READER } from "./media-link.ts";
import { costOf } from "./order-lines.ts";
import { type RequestBody, readRequestBody } from "./request-body.ts";
import { type ChargeRequest, costAfterwards } from "./request-limit.ts";
import { CONNECTIONS, connectionShares, uploadShares, WAITING_CONNECTIONS } from "./shares.ts";
import type { Signatures } from "./signatures.ts";
import { FORWARDED, isLongPoll, routesOfResponses, type UpstreamName, upstreamOf } from "./upstreams.ts";

/** For a change feed or a lease (interface §10, §12). */
export const WAIT_MS_MAX = 25_000;

// A caller that has waited longer is authenticated again before the response.
const CHECK_AGAIN_AFTER_MS = 200;

interface GatewayRequest extends Outgoing {
  readonly principal: Principal;
  readonly body: Extract<RequestBody, { kind: "none" | "whole" }>;
  readonly costPaid: number;
  readonly responseHeaders: Record<string, string>;
  readonly caused: string[];
  readonly socket: Socket;
  /** The wait also ends when the client disconnects or the gateway stops. */
  readonly endWait?: AbortSignal;
}

export interface RequestSender {
  /** `read` must read the body before it resolves. Throws 429, 502, 503 or 504. */
  send<Result>(request: GatewayRequest, read: (response: ApiResponse) => Promise<Result>): Promise<Result>;
}

interface ForwarderOptions {
  readonly settings: Settings;
  readonly identify: Identify;
  readonly checkCaller: (context: Pick<RequestContext, "req">) => Promise<void>;
  readonly charge: ChargeRequest;
  readonly confirmEmails: ConfirmEmails;
  readonly admitMediaLink: AdmitMediaLink;
  readonly countLimited: CountLimited;
  readonly signatures: Signatures;
}

interface Forwarder extends ForwarderOptions {
  readonly upstreams: Readonly<Record<UpstreamName | "media links", Upstream>>;
  readonly takeUpload: AcquireSlot;
  readonly noWaits: AbortSignal;
}

/** `forward` resolves with null if no service owns the path (interface §3). */
export function startForwarder(options: ForwarderOptions) {
  const upstreams = openUpstreams(options);
  const noWaits = new AbortController();
  const takeUpload = uploadShares(options.countLimited);
  const forwarder: Forwarder = { ...options, upstreams, takeUpload, noWaits: noWaits.signal };
  const requests: RequestSender = { send: (request, read) => send(forwarder, request, read) };
  return {
    forward: (context: RequestContext) => forward(forwarder, context),
    requests,
    checkCaller: options.checkCaller,
    endWaits: () => noWaits.abort(),
    stop: async () => void (await Promise.all(Object.values(upstreams).map(({ pool }) => pool.destroy()))),
  };
}

function openUpstreams({ settings, countLimited, signatures }: ForwarderOptions): Forwarder["upstreams"] {
  const routeOf = routesOfResponses();
  const open = (
    service: ServiceName,
    { limits = CONNECTIONS, timeoutMs = settings.UPSTREAM_TIMEOUT_MS } = {},
  ): Upstream => ({
    pool: openPool(addressOf(service, settings).url, timeoutMs, limits.max),
    secret: addressOf(service, settings).secret,
    takeConnection: connectionShares(limits, countLimited),
    timeoutMs,
    routeOf,
    noteSignature: (refusedFor) => signatures.note(service, refusedFor),
  });
  const longPolls = { limits: WAITING_CONNECTIONS, timeoutMs: settings.UPSTREAM_TIMEOUT_MS + WAIT_MS_MAX };
  return {
    orders: open("orders"),
    content: open("content"),
    media: open("content"),
    "media links": open("content"),
    webhooks: open("webhooks"),
    "orders feed": open("orders", longPolls),
    "content feed": open("content", longPolls),
    "webhooks leases": open("webhooks", longPolls),
  };
}

async function forward(forwarder: Forwarder, context: RequestContext): Promise<ApiResponse | null> {
  const { upstreams, charge } = forwarder;
  const { req, atEnd } = context;
  if (isForMediaLink(req)) {
    context.route = FORWARDED;
    const tenantId = await forwarder.admitMediaLink(context);
    atEnd(await upstreams["media links"].takeConnection(tenantId, req.socket));
    const toSend = outgoing(context, { kind: "none" });
    return await exchange(upstreams["media links"], LINK_READER, toSend);
  }
  const name = upstreamOf(req);
  if (name === null) return null;
  context.route = FORWARDED;
  const caller = await forwarder.identify(context);
  const body = await readRequestBody(req);
  const principal = await forwarder.confirmEmails(caller, req, body);
  const extraCost = costOf(req.method ?? "", req.url ?? "", body) - 1;
  if (extraCost > 0) await charge(principal, context, { cost: extraCost, tokensNeeded: 0 });
  // Both are held to the end of the response, which may be streamed.
  if (body.kind === "upload") atEnd(await forwarder.takeUpload(principal.tenantId, req.socket));
  atEnd(await upstreams[name].takeConnection(principal.tenantId, req.socket));
  const toSend = outgoing(context, body);
  if (!isLongPoll(req)) return await exchange(upstreams[name], principal, toSend);
  const sentAt = performance.now();
  const response = await exchange(upstreams[name], principal, toSend, {
    gone: whenGone(context),
    noWaits: forwarder.noWaits,
  });
  // A key that was revoked meanwhile gets no later event.
  if (performance.now() - sentAt <= CHECK_AGAIN_AFTER_MS) return response;
  try {
    await forwarder.checkCaller(context);
    return response;
  } catch (error) {
    response.stream?.destroy();
    throw error;
  }
}

async function send<Result>(
  { upstreams, charge, noWaits }: Forwarder,
  request: GatewayRequest,
  read: (response: ApiResponse) => Promise<Result>,
): Promise<Result> {
  const { principal, method, path, headers, body, costPaid, socket, endWait } = request;
  const name = upstreamOf({ method, url: path, headers });
  if (name === null) throw new Error(`no service owns ${path}`);
  const extraCost = costOf(method, path, body) - costPaid;
  if (extraCost > 0) await charge(principal, request, { cost: extraCost, tokensNeeded: 0 });
  const release = await upstreams[name].takeConnection(principal.tenantId, socket);
  const closed = untilClosed(socket);
  try {
    let workMs = 0;
    const onResponse: Outgoing["onResponse"] = (noted) => {
      workMs = noted.workMs;
      request.caused.push(...noted.caused);
    };
    const wait = endWait && { gone: AbortSignal.any([closed.signal, endWait]), noWaits };
    const response = await exchange(upstreams[name], principal, { ...request, onResponse }, wait);
    const responseBytes = Number(response.headers?.["content-length"] ?? response.bytes?.length ?? 0);
    const more = costAfterwards({ responseBytes, workMs });
    if (more.cost > 0) await charge(principal, { responseHeaders: {} }, more);
    return await read(response);
  } finally {
    closed.stop();
    release();
  }
}

function whenGone({ req, atEnd }: RequestContext): AbortSignal {
  const { signal, stop } = untilClosed(req.socket);
  atEnd(stop);
  return signal;
}

function untilClosed(socket: Socket) {
  const closed = new AbortController();
  const abort = () => closed.abort();
  // The socket may have closed meanwhile, and its event would be missed.
  if (socket.destroyed) abort();
  socket.once("close", abort);
  return { signal: closed.signal, stop: () => void socket.off("close", abort) };
}

function outgoing(context: RequestContext, body: RequestBody): Outgoing {
  const { req, requestId, traceparent } = context;
  const method = req.method as Dispatcher.HttpMethod;
  const onResponse: Outgoing["onResponse"] = (noted) => {
    context.route = noted.route;
    context.workMs = noted.workMs;
    context.caused.push(...noted.caused);
  };
  return { method, path: req.url ?? "", headers: req.headers, body, requestId, traceparent, onResponse };
}
