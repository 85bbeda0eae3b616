// Computes the fingerprint that identifies a repeated request. A body of 2 MiB takes 100 ms, so the work is split, and other
// requests run in between.
import { createHash } from "node:crypto";
import { canonicalJson, isRawNumber } from "@tradepost/json";
import { yieldPeriodically } from "@tradepost/runtime";

// Each update of a hash has a cost of its own, and so has each `await`.
const CHARACTERS_PER_UPDATE = 16_384;

/** Returns the SHA-256 of the path and the canonical JSON text (interface §4, "Idempotency"). */
export async function fingerprintOf(path: string, json: unknown): Promise<Buffer> {
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

/** Yields the text of `canonicalJson` in parts. Each element of a list in the body, such as `orders`, is one part. */
function* canonicalParts(json: unknown): Generator<string> {
  if (typeof json !== "object" || json === null || Array.isArray(json) || isRawNumber(json)) {
    yield canonicalJson(json);
    return;
  }
  let separator = "{";
  for (const [name, member] of Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield `${separator}${JSON.stringify(name)}:`;
    if (Array.isArray(member)) yield* canonicalList(member);
    else yield canonicalJson(member);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

function* canonicalList(list: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [index, element] of list.entries()) yield (index === 0 ? "" : ",") + canonicalJson(element);
  yield "]";
}
