// Counts the order lines in a body, for its cost. Pure. It does not parse: 2 MiB of JSON can take 180 ms to parse and
// take at most 30 ms to scan.
import type { RequestBody } from "./request-body.ts";

// The shortest line is `{"sku":"a","name":"b"}`, and a body this short cannot hold a hundred of them.
const LINE_BYTES_MIN = 20;
const LINES_PER_COST = 100;

/** By the path, the brackets that are open where an order line begins. */
const OPEN_BEFORE_LINE: Readonly<Record<string, string>> = {
  "/v1/orders": "{[",
  "/v1/orders/bulk": "{[{[",
};

/** Contract §2: 1, plus 1 for every full 100 order lines. */
export function costOf(method: string, path: string, body: RequestBody): number {
  const open = method === "POST" ? OPEN_BEFORE_LINE[pathOf(path)] : undefined;
  if (open === undefined || body.kind !== "whole") return 1;
  if (body.bytes.length < LINE_BYTES_MIN * LINES_PER_COST) return 1;
  return 1 + Math.floor(countObjectsIn(body.bytes, open) / LINES_PER_COST);
}

function pathOf(path: string): string {
  return path.split("?", 1)[0]?.replace(/\/$/, "") ?? "";
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;

/**
 * How many objects of a JSON text begin directly inside the open brackets named: of a valid body these are the lines
 * and nothing else. Text that is not JSON gets some number.
 */
export function countObjectsIn(json: Buffer, openBefore: string): number {
  const expected = Buffer.from(openBefore, "latin1");
  let depth = 0;
  /** How many of the outermost open brackets are those expected. */
  let matching = 0;
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OBJECT || byte === ARRAY) {
      if (byte === OBJECT && depth === expected.length && matching === depth) count += 1;
      if (matching === depth && byte === expected[depth]) matching += 1;
      depth += 1;
    } else if (byte === OBJECT_END || byte === ARRAY_END) {
      depth -= 1;
      if (matching > depth) matching = depth;
    }
  }
  return count;
}

/** In: where a text begins. Out: where its closing quote is. */
function endOfText(json: Buffer, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
