// Describes the operations on API keys (interface §2). Pure.
import { type About, data, page, scopes } from "@tradepost/http";
import { z } from "zod";

const tag = "API keys";

const apiKey = z
  .strictObject({
    id: z.uuid(),
    keyId: z.string().describe("The part of the key that is not secret: `sk_live_<keyId>_…`"),
    label: z.string(),
    scopes: z.array(z.enum(scopes)).describe("A `write` scope does not include the `read` scope"),
    expiresAt: z.iso.datetime().nullable().describe("Null for a key that does not expire"),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe("Written at most once a minute"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ApiKey", description: "An API key without its secret." });

const key = z
  .string()
  .nullable()
  .describe("The whole key. No other response shows it: in a replayed one it is null.");

const newApiKey = apiKey
  .extend({ key })
  .meta({ id: "NewApiKey", description: "A new API key with its secret." });

const rotatedApiKey = apiKey
  .extend({ key, rotatedFrom: z.uuid().describe("The id of the key that it replaces") })
  .meta({ id: "RotatedApiKey", description: "The successor of an API key, with its secret." });

export const apiKeyAbouts = {
  list: {
    id: "listApiKeys",
    tag,
    summary: "List API keys",
    description: "The newest come first; revoked and expired keys too.",
    responses: { 200: page(apiKey) },
  },
  create: {
    id: "createApiKey",
    tag,
    summary: "Create an API key",
    description: "A key has the role `editor`, narrowed by its scopes.",
    responses: { 201: data(newApiKey) },
    errors: ["api_key_limit"],
    location: true,
  },
  get: {
    id: "getApiKey",
    tag,
    summary: "Get an API key",
    responses: { 200: data(apiKey) },
  },
  update: {
    id: "updateApiKey",
    tag,
    summary: "Change the label or the expiry of an API key",
    description:
      "An expiry can only be set or brought forward: a later one, or `null` for a key that has one, is 422.",
    responses: { 200: data(apiKey) },
    errors: ["key_revoked"],
  },
  rotate: {
    id: "rotateApiKey",
    tag,
    summary: "Replace an API key by a new one",
    description: `The new key has the same label and scopes. The old one works until the overlap ends and then expires; it never expires later than it
would have without the rotation. An expired key is 409 \`conflict\`, and one that has been rotated and has not expired is 409
\`rotation_in_progress\`. With 100 live keys, a rotation needs \`overlapHours: 0\`.`,
    responses: { 201: data(rotatedApiKey) },
    errors: ["key_revoked", "rotation_in_progress", "conflict", "api_key_limit"],
    location: true,
  },
  revoke: {
    id: "revokeApiKey",
    tag,
    summary: "Revoke an API key",
    description: "The key is refused from the next request on. Revoking it again changes nothing and is 200.",
    responses: { 200: data(apiKey) },
  },
} satisfies Record<string, About>;
