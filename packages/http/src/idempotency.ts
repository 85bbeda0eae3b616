import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { canonicalParts } from "@tradepost/json";
import { yieldPeriodically } from "@tradepost/runtime";
import type { FieldFault } from "./api-error.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";

export interface IdempotencyKey {
  /** Such as `POST /v1/orders/:id/refund`. A key may be used once on each. */
  readonly route: string;
  readonly key: string;
  /** SHA-256 of path and body. The spacing and order of the JSON do not matter. */
  readonly fingerprint: Buffer;
}

/** Node joins repeated headers with `, `, and the space is a fault. */
export function idempotencyKeyFaults(req: IncomingMessage): FieldFault[] {
  const key = req.headers["idempotency-key"];
  return key === undefined || /^[\x21-\x7e]{1,255}$/.test(String(key))
    ? []
    : [{ path: IDEMPOTENCY_KEY, message: "must be 1 to 255 visible ASCII characters" }];
}

/**
 * Returns the key of a request whose header has no faults, or null (interface §4, "Idempotency"). `json` is the parsed body.
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

// Each update of a hash has a cost of its own, and so has each `await`.
const CHARACTERS_PER_UPDATE = 16_384;

/** Returns the SHA-256 of path and canonical JSON (interface §4). 2 MiB take 100 ms, so other requests run in between. */
async function fingerprintOf(path: string, json: unknown): Promise<Buffer> {
  const hash = createHash("sha256");
  const yieldToOthers = yieldPeriodically();
  let text = `${path}\n`;
  for (const part of canonicalParts(json)) {
    text += part;
    if (text.length < CHARACTERS_PER_UPDATE) continue;
    hash.update(text);
    text = "";
    await yieldToOthers();
  }
  return hash.update(text).digest();
}
