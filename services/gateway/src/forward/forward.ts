// Sends a request on to the service that owns its path, with the caller signed into headers, and hands back a whole
// answer or a clear failure: never half of one. What is too large to hold is passed on as it comes, both ways.
import {
  ApiError,
  type ApiResponse,
  type Identify,
  type Principal,
  principalHeaders,
  type RequestContext,
  type TakePlace,
} from "@tradepost/http";
import { type Dispatcher, Pool } from "undici";
import type { Settings } from "../config.ts";
import type { CountLimited } from "../rate-limit/count-limited.ts";
import type { ChargeRequest } from "../rate-limit/request-limit.ts";
import { costOf } from "./order-lines.ts";
import { readAnswer } from "./read-answer.ts";
import { type RequestBody, takeBody } from "./request-body.ts";
import { REFUSED_LENGTH, responseClock } from "./request-stream.ts";
import { CONNECTIONS_MAX, connectionShares, uploadShares } from "./shares.ts";
import { upstreamFailure } from "./upstream-failure.ts";
import { type UpstreamName, upstreamOf } from "./upstreams.ts";

// Nothing is copied by default: a header that a service trusts cannot come from a client.
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
const ANSWER_HEADERS = [
  "content-type",
  "location",
  "allow",
  "etag",
  "retry-after",
  "idempotent-replayed",
  "cache-control",
  "content-disposition",
  "accept-ranges",
  "content-range",
  "content-security-policy",
  "x-content-type-options",
];

const CONNECT_TIMEOUT_MS = 2_000;

interface Upstream {
  readonly pool: Pool;
  readonly takeConnection: TakePlace;
  readonly secret: string;
  readonly timeoutMs: number;
}

export interface ForwardOptions {
  readonly settings: Settings;
  /** Charges a request for what its body holds. */
  readonly charge: ChargeRequest;
  readonly countLimited: CountLimited;
}

/** Carries out contract §3. `answer` resolves with null for a path that no service owns. */
export function startForward({ settings, charge, countLimited }: ForwardOptions) {
  const open = (url: string, secret: string): Upstream => ({
    pool: openPool(url, settings.UPSTREAM_TIMEOUT_MS),
    takeConnection: connectionShares(countLimited),
    secret,
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
  });
  const upstreams: Record<UpstreamName, Upstream> = {
    orders: open(settings.ORDERS_URL, settings.ORDERS_GATEWAY_SECRET),
    content: open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    media: open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    webhooks: open(settings.WEBHOOKS_URL, settings.WEBHOOKS_GATEWAY_SECRET),
  };
  const takeUpload = uploadShares(countLimited);
  return {
    answer: async (context: RequestContext, identify: Identify): Promise<ApiResponse | null> => {
      const { req, atEnd } = context;
      const name = upstreamOf(req.url ?? "");
      if (name === null) return null;
      const principal = await identify(context);
      context.principal = principal;
      const body = await takeBody(req);
      const extraCost = costOf(req.method ?? "", req.url ?? "", body) - 1;
      if (extraCost > 0) await charge(principal, context, { cost: extraCost, tokensNeeded: 0 });
      // Held until the response has been written: a large one comes over the connection until then.
      if (body.kind === "upload") atEnd(await takeUpload(principal.tenantId, req.socket));
      atEnd(await upstreams[name].takeConnection(principal.tenantId, req.socket));
      return await exchange(upstreams[name], context, principal, body);
    },
    stop: async () => void (await Promise.all(Object.values(upstreams).map(({ pool }) => pool.destroy()))),
  };
}

function openPool(url: string, timeoutMs: number): Pool {
  return new Pool(url, {
    connections: CONNECTIONS_MAX,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

async function exchange(
  upstream: Upstream,
  { req, requestId, traceparent }: RequestContext,
  principal: Principal,
  body: RequestBody,
): Promise<ApiResponse> {
  const path = req.url ?? "";
  const method = req.method as Dispatcher.HttpMethod;
  const { bytes, stream, clock, headers } = bodyToSend(body, upstream.timeoutMs);
  try {
    const response = await upstream.pool.request({
      method,
      path,
      body: stream ?? bytes,
      ...clock?.options,
      headers: {
        ...picked(req.headers, REQUEST_HEADERS),
        ...headers,
        ...principalHeaders(principal, { method, path, requestId, traceparent }, upstream.secret),
      },
    });
    clock?.stop();
    const answer = await readAnswer(method, response);
    // A service says 401 only when the signature is not what it expects: our fault, not the caller's.
    if (response.statusCode === 401) throw new Error("the service did not accept the gateway's signature");
    return {
      ...answer,
      status: response.statusCode,
      headers: { ...picked(response.headers, ANSWER_HEADERS), ...answer.headers },
    };
  } catch (error) {
    throw error instanceof ApiError ? error : upstreamFailure(error);
  } finally {
    clock?.stop();
    stream?.destroy();
  }
}

function bodyToSend(body: RequestBody, timeoutMs: number) {
  if (body.kind === "none") return { bytes: null, headers: {} };
  if (body.kind === "whole") return { bytes: body.bytes, headers: {} };
  const clock = responseClock(timeoutMs);
  const stream = body.stream();
  if (body.kind === "too large") {
    clock.start();
    return { bytes: null, stream, clock, headers: { "content-length": REFUSED_LENGTH } };
  }
  stream.once("end", clock.start);
  return {
    bytes: null,
    stream,
    clock,
    headers: body.length === undefined ? {} : { "content-length": body.length },
  };
}

function picked(
  headers: Record<string, string | string[] | undefined>,
  names: readonly string[],
): Record<string, string> {
  const kept = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return Object.fromEntries(kept);
}
