// The bodies of POST and PATCH /v1/api-keys and of a rotation (interface §2).
import { scopes, text, timestamp } from "@tradepost/http";
import { z } from "zod";

const OVERLAP_HOURS_MAX = 168;

const label = text(200);
const expiresAt = timestamp
  .transform((value) => new Date(value))
  .refine((date) => date.getTime() > Date.now(), "must be in the future");

export const apiKeyInput = z.strictObject({
  label,
  scopes: z
    .array(z.enum(scopes, `must be one of ${scopes.join(", ")}`))
    .max(scopes.length, `must have at most ${scopes.length} scopes`)
    .refine((list) => new Set(list).size === list.length, "must not repeat a scope")
    .meta({ uniqueItems: true }),
  expiresAt: expiresAt.nullish().describe("In the future; null for a key that does not expire"),
});

export const apiKeyChangeInput = z.strictObject({
  label: label.optional(),
  expiresAt: expiresAt.nullish(),
});

export const rotationInput = z.strictObject({
  overlapHours: z
    .int("must be a whole number")
    .min(0, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .max(OVERLAP_HOURS_MAX, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .default(24)
    .describe("How long the old key works, in hours"),
});
