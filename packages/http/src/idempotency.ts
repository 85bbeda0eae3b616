// The Idempotency-Key of a request, for routes that are asked to act once however often they are called
// (contract §4, "Idempotency"). What it says is read here; the service that acts keeps the record.
import type { IncomingMessage } from "node:http";
import type { FieldFault } from "./api-error.ts";
import { fingerprintOf } from "./fingerprint.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";

/** What a request is recognised by when it comes again. */
export interface IdempotencyKey {
  /** `POST /v1/orders/:id/refund`: one key may be used once on each route of a tenant. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 over path and body: the same for the same request, however its JSON is spaced or ordered. */
  readonly fingerprint: Buffer;
}

/** Out: the faults of the header; none where it is absent. Two headers arrive as one with a blank in it. */
export function idempotencyKeyFaults(req: IncomingMessage): FieldFault[] {
  const key = req.headers["idempotency-key"];
  return key === undefined || /^[\x21-\x7e]{1,255}$/.test(String(key))
    ? []
    : [{ path: IDEMPOTENCY_KEY, message: "must be 1 to 255 visible ASCII characters" }];
}

/** In: a request whose header has no fault, its route and its parsed body. Out: null where it brings no key. */
export async function idempotencyKeyOf(
  req: IncomingMessage,
  route: string,
  json: unknown,
): Promise<IdempotencyKey | null> {
  const key = req.headers["idempotency-key"];
  if (key === undefined) return null;
  const path = (req.url ?? "").split("?", 1)[0]?.toLowerCase() ?? "";
  return { route, key: String(key), fingerprint: await fingerprintOf(path, json) };
}
