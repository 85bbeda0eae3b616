// The body of POST /v1/api-keys (interface §2).
import { scopes, text, timestamp } from "@tradepost/http";
import { z } from "zod";

export const apiKeyInput = z.strictObject({
  label: text(200),
  scopes: z
    .array(z.enum(scopes, `must be one of ${scopes.join(", ")}`))
    .max(scopes.length, `must have at most ${scopes.length} scopes`)
    .refine((list) => new Set(list).size === list.length, "must not repeat a scope"),
  expiresAt: timestamp
    .transform((value) => new Date(value))
    .refine((date) => date.getTime() > Date.now(), "must be in the future")
    .nullish(),
});
