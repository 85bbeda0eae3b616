// Makes one attempt: a signed POST to the subscription's URL within one deadline. It does not throw for failures of a receiver or
// the network; the outcome reveals nothing about the platform's own network:
//
//   delivered            a status from 200 to 299, whatever the body is
//   http_status          any other status; a redirect is not followed
//   timeout              no complete response before the deadline
//   dns_failed           no name server responded
//   connection_refused   nothing listens at the port
//   connection_reset     the connection was closed before the response was complete
//   tls_failed           no TLS, or a certificate that is not trusted, has expired or names another host
//   address_refused      the name has no address, or one that is not on the public internet
//   response_invalid     not HTTP, or headers of more than 16 KiB
//   network_error        any other error, such as no route to the host
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import type { Agent, Dispatcher } from "undici";
import { type attempts, requests } from "../../delivery/delivery.ts";
import type { Outcome } from "../../delivery-status.ts";
import { type Addressed, type AddressGuard, AddressRefused, type Sealing } from "../../endpoint/endpoint.ts";
import { guardedConnector, startConnections } from "./connections.ts";
import { Exchange, type Result } from "./exchange.ts";
import { NOT_OPENED, type Opening } from "./opening.ts";
import { preparedEndpoints } from "./prepared-endpoints.ts";

export type Send = (delivery: requests.Facts & Addressed) => Promise<attempts.Attempt>;

type Post = Dispatcher.DispatchOptions & { origin: string };

const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
// Each takes about 6 KiB.
const ENDPOINTS_PREPARED_MAX = 1_000;
// A handshake takes as much processor time as ten requests. If a response says how long the receiver keeps the connection open, no
// request is sent in the last second of that time.
const IDLE_MS_MAX = 30_000;
const IDLE_MARGIN_MS = 1_000;
// An idle connection takes about 128 KiB.
const IDLE_CONNECTIONS_PER_ATTEMPT = 4;

export function startSend(options: {
  timeoutMs: number;
  concurrency: number;
  sealing: Sealing;
  guard: AddressGuard;
  canaryAgent?: Agent | undefined;
}) {
  const { timeoutMs, canaryAgent } = options;
  const connections = startConnections({
    idleMax: IDLE_CONNECTIONS_PER_ATTEMPT * options.concurrency,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    allowH2: false,
    connect: guardedConnector(timeoutMs, options.guard),
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    // The deadline of the exchange covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const prepare = preparedEndpoints(options.sealing, ENDPOINTS_PREPARED_MAX);

  const sendOnce = async (post: Post): Promise<Sent> => {
    const startedAt = performance.now();
    const connection = connections.take(post.origin);
    const result = await exchange(connection.client, post, timeoutMs);
    const { isReused, opening } = connection;
    connections.give(connection);
    const leftMs = startedAt + timeoutMs - performance.now();
    if (!mayResend(result, { isReused, leftMs })) return { result, isReused, opening };
    const fresh = connections.connect(post.origin);
    const again = await exchange(fresh.client, post, leftMs);
    connections.give(fresh);
    return { result: again, isReused: false, opening: fresh.opening };
  };

  const send: Send = async (delivery) => {
    // If a secret cannot be opened, the platform is at fault: this throws, and no attempt is counted.
    const endpoint = prepare(delivery);
    const { origin, path } = endpoint;
    const at = new Date();
    const startedAt = performance.now();
    const post: Post = { origin, path, method: "POST", ...requests.signed(delivery, at, endpoint) };
    const sent =
      canaryAgent && delivery.tenantId === CANARY_TENANT_ID
        ? { result: await exchange(canaryAgent, post, timeoutMs), isReused: false, opening: NOT_OPENED }
        : await sendOnce(post);
    const durationMs = Math.round(performance.now() - startedAt);
    const { statusCode, responseBody, holdMs } = sent.result;
    return {
      at,
      durationMs,
      outcome: outcomeOf(sent.result),
      statusCode,
      responseBody,
      holdMs,
      ...routeOf(sent),
    };
  };
  return { send, stop: connections.stop };
}

interface Sent {
  readonly result: Result;
  readonly isReused: boolean;
  readonly opening: Readonly<Opening>;
}

/** Leaves out a refused address: it would show which internal names exist. */
function routeOf({
  result,
  isReused,
  opening,
}: Sent): Pick<attempts.Attempt, "address" | "isReused" | "phases"> {
  const outcome = outcomeOf(result);
  if (outcome === "address_refused") return { address: null, isReused, phases: null };
  const { address, ...phases } = isReused ? { ...NOT_OPENED, address: opening.address } : opening;
  const isMeasured = !isReused || outcome !== "delivered";
  return { address, isReused, phases: isMeasured ? { ...phases, firstByteMs: result.firstByteMs } : null };
}

function exchange(dispatcher: Dispatcher, post: Post, timeoutMs: number): Promise<Result> {
  return new Promise((resolve) => {
    dispatcher.dispatch(post, new Exchange(timeoutMs, resolve));
  });
}

/**
 * Whether to send the request once more, over a new connection. A receiver may close a used connection just when a request is sent
 * over it. Receivers recognise a delivery that arrives twice by its id. If the receiver resets connections for another reason, it
 * resets the new one too.
 */
export function mayResend(
  result: Result,
  { isReused, leftMs }: { isReused: boolean; leftMs: number },
): boolean {
  return isReused && leftMs > 0 && result.firstByteMs === null && outcomeOf(result) === "connection_reset";
}

export function outcomeOf({ error, statusCode }: Pick<Result, "error" | "statusCode">): Outcome {
  if (error !== null) return outcomeOfError(error);
  return statusCode !== null && statusCode >= 200 && statusCode < 300 ? "delivered" : "http_status";
}

const OUTCOME_BY_CODE: Readonly<Record<string, Outcome>> = {
  ENOTFOUND: "dns_failed",
  EAI_AGAIN: "dns_failed",
  EAI_NODATA: "dns_failed",
  ENODATA: "dns_failed",
  EPROTO: "tls_failed",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "response_invalid",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "response_invalid",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "response_invalid",
};

// OpenSSL's codes for certificates have no common prefix.
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|ERROR_IN_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|INVALID_|PATH_LENGTH_|UNSPECIFIED$)/;

function outcomeOfError(error: unknown): Outcome {
  for (let cause: unknown = error; Error.isError(cause); cause = cause.cause) {
    if (cause instanceof AddressRefused) return "address_refused";
    if (cause.name === "TimeoutError") return "timeout";
    // undici's error for a response that is not valid HTTP has no code.
    if (cause.name === "HTTPParserError") return "response_invalid";
    const { code, errors } = cause as { code?: unknown; errors?: unknown };
    // Each address of a name may have failed differently. A specific outcome is more useful than "unreachable".
    if (Array.isArray(errors)) {
      const outcomes = errors.map(outcomeOfError);
      return outcomes.find((outcome) => outcome !== "network_error") ?? "network_error";
    }
    if (typeof code !== "string") continue;
    const known = OUTCOME_BY_CODE[code];
    if (known !== undefined) return known;
    if (TLS_CODE.test(code)) return "tls_failed";
  }
  return "network_error";
}
