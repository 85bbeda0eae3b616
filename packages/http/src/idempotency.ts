// Reads the Idempotency-Key of a request (interface §4, "Idempotency"). The service that handles the request stores its
// result under the key.
import type { IncomingMessage } from "node:http";
import type { FieldFault } from "./api-error.ts";
import { fingerprintOf } from "./fingerprint.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Identifies repetitions of a request. */
export interface IdempotencyKey {
  /** A route such as `POST /v1/orders/:id/refund`. A tenant may use the same key once on each route. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 of path and body. The spacing and order of the JSON do not matter. */
  readonly fingerprint: Buffer;
}

/** Returns the faults of the header, if it is present. Node joins repeated headers with `, `, and the space is a fault. */
export function idempotencyKeyFaults(req: IncomingMessage): FieldFault[] {
  const key = req.headers["idempotency-key"];
  return key === undefined || /^[\x21-\x7e]{1,255}$/.test(String(key))
    ? []
    : [{ path: IDEMPOTENCY_KEY, message: "must be 1 to 255 visible ASCII characters" }];
}

/**
 * Returns the key of a request whose header has no faults, or null without one. `json` is the parsed body, if the route has a
 * body (interface §4, "Idempotency").
 */
export async function idempotencyKeyOf(
  req: IncomingMessage,
  route: string,
  json: unknown,
): Promise<IdempotencyKey | null> {
  const key = req.headers["idempotency-key"];
  if (key === undefined) return null;
  const path = (req.url ?? "").split("?", 1)[0]?.toLowerCase() ?? "";
  return { route, key: String(key), fingerprint: await fingerprintOf(path, json ?? null) };
}
