// Sends one delivery to the target: the same headers and bytes. It follows no redirect and waits no longer than the platform
// would.
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { ItemOf } from "../../operation-types.ts";
import type { Target } from "./forward-target.ts";

export type LeasedDelivery = ItemOf<"leaseDeliveries">;

/** As it is reported to the platform. */
export type AttemptResult =
  | { readonly statusCode: number; readonly responseBody: string; readonly durationMs: number }
  | { readonly outcome: FailureOutcome; readonly durationMs: number };

type FailureOutcome =
  | "timeout"
  | "dns_failed"
  | "connection_refused"
  | "connection_reset"
  | "tls_failed"
  | "address_refused"
  | "response_invalid"
  | "network_error";

/** As for subscriptions (interface §7). */
const TIMEOUT_MS = 10_000;
/** The delivery log keeps this much of a response. */
const RESPONSE_BYTES_KEPT = 2_048;
/** The platform refuses a result with a status above 599, and would lease the delivery for ever. */
const STATUS_MAX = 599;

/** Never rejects; failures are part of the result. */
export async function forward(delivery: LeasedDelivery, target: Target): Promise<AttemptResult> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const { statusCode, responseBody } = await post(delivery, target);
    return { statusCode, responseBody, durationMs: durationMs() };
  } catch (error) {
    return { outcome: outcomeOf(error), durationMs: durationMs() };
  }
}

async function post(
  { headers, body }: LeasedDelivery,
  { url, allows }: Target,
): Promise<{ statusCode: number; responseBody: string }> {
  const bytes = Buffer.from(body, "utf8");
  const { request } = url.protocol === "https:" ? https : http;
  return await new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        headers: { ...headers, "Content-Length": String(bytes.length) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // The receiver may just have closed an old connection.
        agent: false,
        lookup: allowedLookup(allows),
      },
      (res) => {
        const { statusCode = 0 } = res;
        if (statusCode < 200 || statusCode > STATUS_MAX) return void sent.destroy(new InvalidStatusError());
        readStart(res).then((start) => resolve({ statusCode, responseBody: start.toString("utf8") }), reject);
      },
    );
    sent.once("error", reject);
    // No HTTP response follows a 101.
    sent.once("upgrade", (_res, socket) => {
      socket.destroy();
      reject(new InvalidStatusError());
    });
    sent.end(bytes);
  });
}

/** Reads the whole response, because the attempt ends with its last byte, and returns the start. */
async function readStart(res: http.IncomingMessage): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    if (bytes < RESPONSE_BYTES_KEPT) kept.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(kept).subarray(0, RESPONSE_BYTES_KEPT);
}

class InvalidStatusError extends Error {}

class RefusedAddressError extends Error {}

/** Checks the address at each connection, because the name may resolve differently than at the start. */
function allowedLookup(allows: Target["allows"]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const allowed = addresses.filter(({ address }) => allows(address));
      const [first] = allowed;
      if (first === undefined)
        return callback(new RefusedAddressError(`${hostname} has another address now`), "");
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

const OUTCOMES: Readonly<Record<string, FailureOutcome>> = {
  ABORT_ERR: "timeout",
  ETIMEDOUT: "timeout",
  ENOTFOUND: "dns_failed",
  EAI_AGAIN: "dns_failed",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
};

function outcomeOf(error: unknown): FailureOutcome {
  if (error instanceof RefusedAddressError) return "address_refused";
  if (error instanceof InvalidStatusError) return "response_invalid";
  const code = String((error as { code?: unknown }).code);
  if (code.startsWith("HPE_")) return "response_invalid";
  if (/CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code)) return "tls_failed";
  return OUTCOMES[code] ?? "network_error";
}
