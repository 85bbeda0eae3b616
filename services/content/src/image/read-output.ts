// Reads what a decoder's process wrote. It has decoded a stranger's bytes, so nothing it says is taken on trust.
import { z } from "zod";
import { VARIANT_WIDTHS, variantNames } from "../media/media.ts";
import type { Made, Refusal } from "./make-variants.ts";

/** The three derivatives of 1920 by 16383 pixels of noise take half of this. */
export const OUTPUT_BYTES_MAX = 48 * 1024 * 1024;
const HEAD_BYTES_MAX = 4_096;

const side = z.int().min(1).max(1_000_000_000);
const variant = z.strictObject({
  name: z.enum(variantNames),
  width: z.int().min(1).max(VARIANT_WIDTHS.large),
  height: z.int().min(1).max(65_535),
  contentType: z.literal("image/webp"),
  sizeBytes: z.int().min(1).max(OUTPUT_BYTES_MAX),
});
const head = z.union([
  z.strictObject({ failureReason: z.string().min(1).max(200) }),
  z.strictObject({ width: side, height: side, variants: z.array(variant).length(variantNames.length) }),
]);

/** Out: null where it is not what a decoder writes, or not all of it. */
export function readOutput(output: Buffer): Made | Refusal | null {
  const headEnd = output.subarray(0, HEAD_BYTES_MAX).indexOf("\n");
  if (headEnd === -1) return null;
  const read = head.safeParse(jsonIn(output.subarray(0, headEnd)));
  if (!read.success) return null;
  if ("failureReason" in read.data) return read.data;
  let at = headEnd + 1;
  const variants = read.data.variants.map((one) => {
    const bytes = output.subarray(at, at + one.sizeBytes);
    at += one.sizeBytes;
    return { variant: one, bytes };
  });
  return at === output.length ? { ...read.data, variants } : null;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
