// Reads the Idempotency-Key of a request (interface §4, "Idempotency"). The service that handles the request stores its
// result under the key.
import type { IncomingMessage } from "node:http";
import type { FieldFault } from "./api-error.ts";
import { fingerprintOf } from "./fingerprint.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Identifies a request when it is repeated. */
export interface IdempotencyKey {
  /** Such as `POST /v1/orders/:id/refund`: a tenant may use the same key once on each route. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 over path and body, independent of the spacing and order of the JSON. */
  readonly fingerprint: Buffer;
}

/** The faults of the header, if it is present. Node joins two headers with `, `; the space makes the value invalid. */
export function idempotencyKeyFaults(req: IncomingMessage): FieldFault[] {
  const key = req.headers["idempotency-key"];
  return key === undefined || /^[\x21-\x7e]{1,255}$/.test(String(key))
    ? []
    : [{ path: IDEMPOTENCY_KEY, message: "must be 1 to 255 visible ASCII characters" }];
}

/** The key of a request whose header has no faults; null if it has no key. `json` is the parsed body, if the route has one. */
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
