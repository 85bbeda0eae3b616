// The routes of API keys (interface §2).
import {
  type ApiRequest,
  created,
  cursorPage,
  data,
  listed,
  name,
  ok,
  page,
  pageOnly,
  required,
  route,
  scopes,
  timestamp,
} from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { differences, recordAudit } from "../../audit-log/audit-log.ts";
import { ADMIN } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import { idempotent, NO_STORE, respondOnce } from "../responses.ts";
import { allowedAddressesInput } from "./allowed-addresses.ts";
import { findApiKey, listApiKeys, lockApiKey, updateApiKey } from "./api-key-store.ts";
import { createKey, revokeKey, rotateKey } from "./create-key.ts";
import { changedKey } from "./key-changes.ts";

const OVERLAP_HOURS_MAX = 168;

const label = name(200);
const expiresAt = timestamp
  .transform((value) => new Date(value))
  .refine((date) => date.getTime() > Date.now(), "must be in the future");

const allowedAddresses = allowedAddressesInput
  .optional()
  .describe("1 to 20 addresses or CIDRs to use the key from; null for all. Else 403 `address_not_allowed`.");

const apiKeyInput = z.strictObject({
  label,
  scopes: z
    .array(z.enum(scopes, `must be one of ${scopes.join(", ")}`))
    .max(scopes.length, `must have at most ${scopes.length} scopes`)
    .refine((list) => new Set(list).size === list.length, "must not repeat a scope")
    .meta({ uniqueItems: true }),
  expiresAt: expiresAt.nullish().describe("In the future; null for a key that does not expire"),
  allowedAddresses,
});

const apiKeyChangeInput = z.strictObject({
  label: label.optional(),
  expiresAt: expiresAt.nullish(),
  allowedAddresses,
});

const rotationInput = z.strictObject({
  overlapHours: z
    .int("must be a whole number")
    .min(0, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .max(OVERLAP_HOURS_MAX, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .default(24)
    .describe("How long the old key works, in hours"),
});

const apiKey = z
  .strictObject({
    id: z.uuid(),
    keyId: z.string().describe("The part of the key that is not secret: `sk_live_<keyId>_…`"),
    label: z.string(),
    scopes: z.array(z.enum(scopes)).describe("A `write` scope does not include the `read` scope"),
    expiresAt: z.iso.datetime().nullable().describe("Null for a key that does not expire"),
    allowedAddresses: z.array(z.string()).nullable().describe("Null for a key that works from everywhere"),
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

const tag = "API keys";

const list = ({ db }: IdentityContext) =>
  route("GET /v1/api-keys", {
    ...ADMIN,
    query: pageOnly,
    about: {
      id: "listApiKeys",
      tag,
      summary: "List API keys",
      description: "The newest come first; revoked and expired keys too.",
      responses: { 200: page(apiKey) },
    },
    handle: async ({ principal, query }) =>
      listed(cursorPage(await listApiKeys(tenantOf(db, principal.tenantId), query), query.limit)),
  });

const create = (context: IdentityContext) =>
  route("POST /v1/api-keys", {
    ...ADMIN,
    isIdempotent: true,
    body: apiKeyInput,
    about: {
      id: "createApiKey",
      tag,
      summary: "Create an API key",
      description: "A key has the role `editor`, narrowed by its scopes.",
      responses: { 201: data(newApiKey) },
      errors: ["api_key_limit"],
      location: true,
    },
    handle: idempotent(context, (tenant, request: ApiRequest<z.output<typeof apiKeyInput>, undefined>) =>
      tenant.transaction(async (tx) => {
        const { label, scopes, expiresAt = null, allowedAddresses = null } = request.body;
        const { key, apiKey } = await createKey(tx, { label, scopes, expiresAt, allowedAddresses }, request);
        const response = created({ ...apiKey, key }, `/v1/api-keys/${apiKey.id}`, NO_STORE);
        return await respondOnce(tx, request, response, { key: null });
      }),
    ),
  });

const read = ({ db }: IdentityContext) =>
  route("GET /v1/api-keys/:id", {
    ...ADMIN,
    about: {
      id: "getApiKey",
      tag,
      summary: "Get an API key",
      responses: { 200: data(apiKey) },
    },
    handle: async ({ principal, id }) => {
      return ok(required(await findApiKey(tenantOf(db, principal.tenantId), id), "API key"));
    },
  });

const change = ({ db }: IdentityContext) =>
  route("PATCH /v1/api-keys/:id", {
    ...ADMIN,
    body: apiKeyChangeInput,
    about: {
      id: "updateApiKey",
      tag,
      summary: "Change the label, the expiry or the addresses of an API key",
      description: "An expiry can only be set or brought forward; a later one, or none, is 422.",
      responses: { 200: data(apiKey) },
      errors: ["key_revoked"],
    },
    handle: (request) =>
      tenantOf(db, request.principal.tenantId).transaction(async (tx) => {
        const { rotatedAt: _, now: __, ...before } = required(await lockApiKey(tx, request.id), "API key");
        const after = changedKey(before, request.body);
        const changes = differences(before, after);
        if (changes === null) return ok(before);
        const key = await updateApiKey(tx, request.id, after);
        const target = { type: "api_key", id: key.id };
        await recordAudit(tx, { action: "api_key.updated", target, changes }, request);
        return ok(key);
      }),
  });

const rotate = (context: IdentityContext) =>
  route("POST /v1/api-keys/:id/rotate", {
    ...ADMIN,
    isIdempotent: true,
    body: rotationInput,
    bodyIsOptional: true,
    about: {
      id: "rotateApiKey",
      tag,
      summary: "Replace an API key by a new one",
      description: `The new key has the same label, scopes and addresses. The old one works until the overlap ends and then expires; it never expires later than it
would have without the rotation. An expired key is 409 \`conflict\`, and one that has been rotated and has not expired is 409
\`rotation_in_progress\`. A rotation may exceed the limit of 100 live keys by one; beyond that it needs \`overlapHours: 0\`.`,
      responses: { 201: data(rotatedApiKey) },
      errors: ["key_revoked", "rotation_in_progress", "conflict", "api_key_limit"],
      location: true,
    },
    handle: idempotent(context, (tenant, request: ApiRequest<z.output<typeof rotationInput>, undefined>) =>
      tenant.transaction(async (tx) => {
        const { id, body } = request;
        const { key, apiKey } = await rotateKey(tx, id, body.overlapHours, request);
        const rotated = { ...apiKey, key, rotatedFrom: id };
        const response = created(rotated, `/v1/api-keys/${apiKey.id}`, NO_STORE);
        return await respondOnce(tx, request, response, { key: null });
      }),
    ),
  });

const revoke = ({ db }: IdentityContext) =>
  route("DELETE /v1/api-keys/:id", {
    ...ADMIN,
    about: {
      id: "revokeApiKey",
      tag,
      summary: "Revoke an API key",
      description: "It is refused from the next request on. Revoking it again changes nothing.",
      responses: { 200: data(apiKey) },
    },
    handle: async (request) => {
      const tenant = tenantOf(db, request.principal.tenantId);
      const key = await tenant.transaction((tx) => revokeKey(tx, request.id, request));
      return ok(required(key, "API key"));
    },
  });

export const apiKeyRoutes = [list, create, read, change, rotate, revoke];
