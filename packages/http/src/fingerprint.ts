// The fingerprint of a request, by which it is recognised when it comes again. A body of 2 MiB takes 100 ms, so it is
// made in pieces, between which other requests have their turn.
import { createHash } from "node:crypto";
import { canonicalJson, isRawNumber, yieldPeriodically } from "@tradepost/runtime";

/** Out: SHA-256 over the path and the canonical JSON text. */
export async function fingerprintOf(path: string, json: unknown): Promise<Buffer> {
  const hash = createHash("sha256").update(`${path}\n`);
  const pause = yieldPeriodically();
  for (const piece of canonicalPieces(json)) {
    hash.update(piece);
    await pause();
  }
  return hash.digest();
}

/** The text of `canonicalJson`, piece by piece for what lists in a body's members hold (`orders`). */
function* canonicalPieces(json: unknown): Generator<string> {
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
