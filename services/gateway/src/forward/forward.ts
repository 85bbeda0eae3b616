// Forwards a request to the service that owns its path, with the caller signed into headers. The caller gets a complete
// response or a clear failure, never half a response. Bodies too large to hold in memory are streamed in both directions.
//
// `send` is for the gateway's own requests on behalf of a caller: those of the MCP tools. They pass the same limits, over the
// same connections.
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import {
  type AcquireSlot,
  ApiError,
  type ApiResponse,
  type Identify,
  type Principal,
  principalHeaders,
  type RequestContext,
} from "@tradepost/http";
import { type Dispatcher, Pool } from "undici";
import type { Settings } from "../config.ts";
import type { CountLimited } from "../rate-limit/count-limited.ts";
import { type ChargeRequest, costAfterwards } from "../rate-limit/request-limit.ts";
import { answeredRoutes, FORWARDED } from "./answered-route.ts";
import { type AdmitMediaLink, isForMediaLink, NOBODY } from "./media-link.ts";
import { costOf } from "./order-lines.ts";
import { OVERSIZED_LENGTH, oversizedBody } from "./oversized-body.ts";
import { readResponse } from "./read-response.ts";
import { type RequestBody, readRequestBody } from "./request-body.ts";
import { responseTimeout } from "./response-timeout.ts";
import { CONNECTIONS, connectionShares, uploadShares, WAITING_CONNECTIONS } from "./shares.ts";
import { proxyFailure, upstreamFailure } from "./upstream-failure.ts";
import { type UpstreamName, upstreamOf, waitsApart } from "./upstreams.ts";

// Only these headers are copied, so a client cannot send a header that a service trusts.
const REQUEST_HEADERS = [
  "accept",
  "content-type",
  "content-encoding",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "range",
  "if-range",
];
const RESPONSE_HEADERS = [
  "content-type",
  "location",
  "link",
  "allow",
  "etag",
  "retry-after",
  "idempotent-replayed",
  "cache-control",
  "content-disposition",
  "accept-ranges",
  "content-range",
  "content-security-policy",
  "cross-origin-resource-policy",
  "x-content-type-options",
];

const CONNECT_TIMEOUT_MS = 2_000;
/** The longest wait of a reader of a change feed and of a lease (interface §10 and §12). */
export const WAIT_MS_MAX = 25_000;

// A request that has waited for longer is authenticated again before its caller gets the response.
const CHECK_AGAIN_AFTER_MS = 200;

interface Upstream {
  readonly pool: Pool;
  readonly takeConnection: AcquireSlot;
  readonly secret: string;
  readonly timeoutMs: number;
  readonly routeOf: ReturnType<typeof answeredRoutes>;
}

/** The request that a service gets. */
interface Outgoing extends Pick<RequestContext, "requestId" | "traceparent"> {
  readonly method: Dispatcher.HttpMethod;
  /** Path with query. */
  readonly path: string;
  /** Only those of `REQUEST_HEADERS` are sent. */
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  /** Gets the pattern of the service's route. */
  readonly countAs?: (route: string) => void;
}

/** A request of the gateway on behalf of a caller that it has authenticated and admitted. */
export interface OwnRequest extends Outgoing {
  readonly principal: Principal;
  readonly body: Extract<RequestBody, { kind: "none" | "whole" }>;
  /** The part of its cost that is charged already. */
  readonly costPaid: number;
  /** Gets the RateLimit headers. */
  readonly responseHeaders: Record<string, string>;
  /** The caller's connection: a request whose caller is gone waits no longer. */
  readonly socket: Socket;
}

/** The part of the forwarder that sends the gateway's own requests. */
export interface OwnRequests {
  /**
   * Sends a request to the service that owns its path and passes the response, whose body is read before this resolves, to
   * `read`. Throws as `forward` does: 429, 502, 503 or 504.
   */
  send<Result>(request: OwnRequest, read: (response: ApiResponse) => Promise<Result>): Promise<Result>;
}

export interface ForwarderOptions {
  readonly settings: Settings;
  /** Charges the caller for the order lines in the body. */
  readonly charge: ChargeRequest;
  readonly admitMediaLink: AdmitMediaLink;
  readonly countLimited: CountLimited;
}

/** Implements interface §3. `forward` resolves with null if no service owns the path. */
export function startForwarder({ settings, charge, admitMediaLink, countLimited }: ForwarderOptions) {
  const routeOf = answeredRoutes();
  const open = (
    url: string,
    [secret]: Settings["ORDERS_GATEWAY_SECRET"],
    { limits = CONNECTIONS, timeoutMs = settings.UPSTREAM_TIMEOUT_MS } = {},
  ): Upstream => ({
    pool: openPool(url, timeoutMs, limits.max),
    takeConnection: connectionShares(limits, countLimited),
    secret,
    timeoutMs,
    routeOf,
  });
  const waiting = { limits: WAITING_CONNECTIONS, timeoutMs: settings.UPSTREAM_TIMEOUT_MS + WAIT_MS_MAX };
  const upstreams: Record<UpstreamName | "media links", Upstream> = {
    orders: open(settings.ORDERS_URL, settings.ORDERS_GATEWAY_SECRET),
    content: open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    media: open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    // Over connections of their own: the public must not delay the tenants' requests.
    "media links": open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    webhooks: open(settings.WEBHOOKS_URL, settings.WEBHOOKS_GATEWAY_SECRET),
    "orders feed": open(settings.ORDERS_URL, settings.ORDERS_GATEWAY_SECRET, waiting),
    "content feed": open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET, waiting),
    "webhooks leases": open(settings.WEBHOOKS_URL, settings.WEBHOOKS_GATEWAY_SECRET, waiting),
  };
  const takeUpload = uploadShares(countLimited);
  const noWaits = new AbortController();
  return {
    /** `checkCaller` throws if a caller that has waited may not have the response any more. */
    forward: async (
      context: RequestContext,
      identify: Identify,
      checkCaller: (context: RequestContext) => Promise<void>,
    ): Promise<ApiResponse | null> => {
      const { req, atEnd } = context;
      if (isForMediaLink(req)) {
        context.route = FORWARDED;
        const tenantId = await admitMediaLink(context);
        atEnd(await upstreams["media links"].takeConnection(tenantId, req.socket));
        return await exchange(upstreams["media links"], NOBODY, outgoing(context, { kind: "none" }));
      }
      const name = upstreamOf(req);
      if (name === null) return null;
      context.route = FORWARDED;
      const principal = await identify(context);
      context.principal = principal;
      const body = await readRequestBody(req);
      const extraCost = costOf(req.method ?? "", req.url ?? "", body) - 1;
      if (extraCost > 0) await charge(principal, context, { cost: extraCost, tokensNeeded: 0 });
      // Both are released only after the response is written, because a large response is streamed from the service.
      if (body.kind === "upload") atEnd(await takeUpload(principal.tenantId, req.socket));
      atEnd(await upstreams[name].takeConnection(principal.tenantId, req.socket));
      const toSend = outgoing(context, body);
      if (!waitsApart(req)) return await exchange(upstreams[name], principal, toSend);
      const sentAt = performance.now();
      const response = await exchange(upstreams[name], principal, toSend, {
        gone: whenGone(context),
        noWaits: noWaits.signal,
      });
      // A key that was revoked during the wait gets nothing that happened after it.
      if (performance.now() - sentAt <= CHECK_AGAIN_AFTER_MS) return response;
      try {
        await checkCaller(context);
        return response;
      } catch (error) {
        response.stream?.destroy();
        throw error;
      }
    },
    send: async <Result>(
      request: OwnRequest,
      read: (response: ApiResponse) => Promise<Result>,
    ): Promise<Result> => {
      const { principal, method, path, headers, body, costPaid, socket } = request;
      const name = upstreamOf({ method, url: path, headers });
      if (name === null) throw new Error(`no service owns ${path}`);
      const extraCost = costOf(method, path, body) - costPaid;
      if (extraCost > 0) await charge(principal, request, { cost: extraCost, tokensNeeded: 0 });
      const release = await upstreams[name].takeConnection(principal.tenantId, socket);
      try {
        const response = await exchange(upstreams[name], principal, request);
        const more = costAfterwards(
          Number(response.headers?.["content-length"] ?? response.bytes?.length ?? 0),
        );
        if (more.cost > 0) await charge(principal, { responseHeaders: {} }, more);
        return await read(response);
      } finally {
        release();
      }
    },
    /** Responds with 503 to the callers that wait in a service, now and later. */
    endWaits: () => noWaits.abort(),
    stop: async () => void (await Promise.all(Object.values(upstreams).map(({ pool }) => pool.destroy()))),
  };
}

interface EndOfForwardedWait {
  /** The caller has closed its connection. */
  readonly gone: AbortSignal;
  /** The gateway stops and lets nobody wait. */
  readonly noWaits: AbortSignal;
}

/** Aborts once the client has closed its connection. */
function whenGone({ req, atEnd }: RequestContext): AbortSignal {
  const gone = new AbortController();
  const abort = () => gone.abort();
  // It may have closed while its request waited for its turn; the `close` event would then be missed.
  if (req.socket.destroyed) abort();
  req.socket.once("close", abort);
  atEnd(() => void req.socket.off("close", abort));
  return gone.signal;
}

function openPool(url: string, timeoutMs: number, connections: number): Pool {
  return new Pool(url, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

/** The client's request, to be sent on. */
function outgoing(context: RequestContext, body: RequestBody): Outgoing {
  const { req, requestId, traceparent } = context;
  const method = req.method as Dispatcher.HttpMethod;
  const countAs = (route: string) => {
    context.route = route;
  };
  return { method, path: req.url ?? "", headers: req.headers, body, requestId, traceparent, countAs };
}

async function exchange(
  upstream: Upstream,
  principal: Principal,
  { method, path, headers: requestHeaders, body, requestId, traceparent, countAs }: Outgoing,
  wait?: EndOfForwardedWait,
): Promise<ApiResponse> {
  const { bytes, stream, timeout, headers } = bodyToSend(body, upstream.timeoutMs);
  const copied = pick(requestHeaders, REQUEST_HEADERS);
  // The service refuses an oversized body by its length, so no bytes are signed.
  const signed = body.kind === "upload" ? "streamed" : (bytes ?? undefined);
  try {
    const upstreamResponse = await upstream.pool.request({
      method,
      path,
      body: stream ?? bytes,
      ...(wait && { signal: AbortSignal.any([wait.gone, wait.noWaits]) }),
      ...timeout?.options,
      headers: {
        ...copied,
        ...headers,
        ...principalHeaders(
          principal,
          { method, path, requestId, traceparent, idempotencyKey: copied["idempotency-key"], body: signed },
          upstream.secret,
        ),
      },
    });
    timeout?.stop();
    countAs?.(upstream.routeOf(upstreamResponse.headers["x-route"]));
    const failure = proxyFailure(upstreamResponse.statusCode, upstreamResponse.headers);
    if (failure !== null) {
      // Frees the connection.
      await upstreamResponse.body.dump();
      throw failure;
    }
    const response = await readResponse(method, upstreamResponse);
    // A service responds with 401 only if it does not accept the signature, which is the gateway's fault, not the caller's.
    if (upstreamResponse.statusCode === 401) {
      throw new Error("the service did not accept the gateway's signature");
    }
    return {
      ...response,
      status: upstreamResponse.statusCode,
      headers: { ...pick(upstreamResponse.headers, RESPONSE_HEADERS), ...response.headers },
    };
  } catch (error) {
    if (wait?.gone.aborted) throw new ApiError("bad_request", "The client closed the connection.");
    if (wait?.noWaits.aborted)
      throw new ApiError("service_unavailable", "The gateway is stopping; try again.");
    throw error instanceof ApiError ? error : upstreamFailure(error);
  } finally {
    timeout?.stop();
    stream?.destroy();
  }
}

function bodyToSend(body: RequestBody, timeoutMs: number) {
  if (body.kind === "none") return { bytes: null, headers: {} };
  if (body.kind === "whole") return { bytes: body.bytes, headers: {} };
  const timeout = responseTimeout(timeoutMs);
  if (body.kind === "oversized") {
    timeout.start();
    return { bytes: null, stream: oversizedBody(), timeout, headers: { "content-length": OVERSIZED_LENGTH } };
  }
  const stream = body.stream();
  stream.once("end", timeout.start);
  return {
    bytes: null,
    stream,
    timeout,
    headers: body.length === undefined ? {} : { "content-length": body.length },
  };
}

function pick(
  headers: Record<string, string | string[] | undefined>,
  names: readonly string[],
): Record<string, string> {
  const picked = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return Object.fromEntries(picked);
}
