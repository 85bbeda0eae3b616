// Sends a request on to the service that owns its path, with the caller signed into headers, and hands back a whole
// answer or a clear failure: never half of one. What is too large to hold is passed on as it comes, both ways.
import { PassThrough } from "node:stream";
import {
  type Answer,
  ApiError,
  BODY_BYTES_MAX,
  type Call,
  type Identify,
  principalHeaders,
  readBytes,
} from "@tradepost/http";
import { type Dispatcher, Pool } from "undici";
import type { Settings } from "../config.ts";
import { readAnswer } from "./read-answer.ts";
import { patience, streamOf } from "./request-stream.ts";
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

const CONNECTIONS_MAX = 128;
const CONNECT_TIMEOUT_MS = 2_000;

interface Upstream {
  readonly pool: Pool;
  readonly secret: string;
  readonly timeoutMs: number;
}

/** Carries out contract §3. `answer` resolves with null for a path that no service owns. */
export function startForward(settings: Settings) {
  const upstreams: Record<UpstreamName, Upstream> = {
    orders: openUpstream(settings.ORDERS_URL, settings.ORDERS_GATEWAY_SECRET, settings.UPSTREAM_TIMEOUT_MS),
    content: openUpstream(
      settings.CONTENT_URL,
      settings.CONTENT_GATEWAY_SECRET,
      settings.UPSTREAM_TIMEOUT_MS,
    ),
    media: openUpstream(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET, settings.UPSTREAM_TIMEOUT_MS),
    webhooks: openUpstream(
      settings.WEBHOOKS_URL,
      settings.WEBHOOKS_GATEWAY_SECRET,
      settings.UPSTREAM_TIMEOUT_MS,
    ),
  };
  return {
    answer: async (call: Call, identify: Identify): Promise<Answer | null> => {
      const name = upstreamOf(call.req.url ?? "");
      if (name === null) return null;
      call.principal = await identify(call);
      return await exchange(upstreams[name], call, call.principal);
    },
    stop: async () => void (await Promise.all(Object.values(upstreams).map(({ pool }) => pool.destroy()))),
  };
}

function openUpstream(url: string, secret: string, timeoutMs: number): Upstream {
  const pool = new Pool(url, {
    connections: CONNECTIONS_MAX,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  return { pool, secret, timeoutMs };
}

async function exchange(
  upstream: Upstream,
  call: Call,
  principal: NonNullable<Call["principal"]>,
): Promise<Answer> {
  const { req, requestId, traceparent } = call;
  const path = req.url ?? "";
  const method = req.method as Dispatcher.HttpMethod;
  const body = await bodyOf(call);
  const waiting = body instanceof PassThrough ? patience(body, upstream.timeoutMs) : null;
  try {
    const response = await upstream.pool.request({
      method,
      path,
      body,
      ...waiting?.options,
      headers: {
        ...picked(req.headers, REQUEST_HEADERS),
        ...(body !== null &&
          req.headers["content-length"] && { "content-length": req.headers["content-length"] }),
        ...principalHeaders(principal, { method, path, requestId, traceparent }, upstream.secret),
      },
    });
    waiting?.answered();
    const answer = await readAnswer(method, response);
    // A service says 401 only when the signature is not what it expects: our fault, not the caller's.
    if (response.statusCode === 401) throw new Error("the service did not accept the gateway's signature");
    const headers = { ...picked(response.headers, ANSWER_HEADERS), ...answer.headers };
    return { ...answer, status: response.statusCode, headers };
  } catch (error) {
    throw error instanceof ApiError ? error : upstreamFailure(error);
  } finally {
    waiting?.answered();
    if (body instanceof PassThrough) body.destroy();
  }
}

/**
 * A small body is read whole first: one write upstream, and nothing of a request that was cut short. What says that
 * it is larger than the bound goes on unread: the service refuses it after its 403s, in the order of contract §1.
 */
async function bodyOf({ req }: Call): Promise<Buffer | PassThrough | null> {
  const { "content-length": length, "transfer-encoding": chunked } = req.headers;
  if (chunked === undefined && (length === undefined || length === "0")) return null;
  // It may have broken off while the caller was looked up; its end would then never be heard of.
  if (req.destroyed) throw new ApiError("bad_request", "The body was cut short.");
  const isSmall = chunked === undefined && Number(length) <= BODY_BYTES_MAX;
  return isSmall ? await readBytes(req) : streamOf(req);
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
