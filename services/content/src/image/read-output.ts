// Parses a decoder's output. The process has decoded untrusted bytes, so its output is untrusted too.
import { z } from "zod";
import type { Refusal, Variants } from "./make-variants.ts";
import { VARIANT_WIDTHS, variantNames } from "./variant.ts";

/** The derivatives of the largest size, 1920 by 16383 pixels of noise, take half of this. */
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

/** Returns null if the output is malformed or incomplete. */
export function readOutput(output: Buffer): Variants | Refusal | null {
  const headEnd = output.subarray(0, HEAD_BYTES_MAX).indexOf("\n");
  if (headEnd === -1) return null;
  const parsed = head.safeParse(jsonIn(output.subarray(0, headEnd)));
  if (!parsed.success) return null;
  if ("failureReason" in parsed.data) return parsed.data;
  let offset = headEnd + 1;
  const variants = parsed.data.variants.map((one) => {
    const bytes = output.subarray(offset, offset + one.sizeBytes);
    offset += one.sizeBytes;
    return { variant: one, bytes };
  });
  return offset === output.length ? { ...parsed.data, variants } : null;
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
