// Sends requests to a service as the gateway does: signed and with a principal.
import { randomUUID } from "node:crypto";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";
import { type ApiClient, apiClient } from "./api-client.ts";

const ALL_SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];

/**
 * Returns a client that signs each request with the secret that the gateway shares with the service (interface §3). By default
 * the principal is an owner with all modules and scopes; `overrides` change it.
 */
export function signedClient(url: string, secret: string, overrides: Partial<Principal> = {}): ApiClient {
  const principal: Principal = {
    tenantId: randomUUID(),
    role: "owner",
    actor: { type: "user", id: randomUUID(), name: "Test Owner" },
    scopes: ALL_SCOPES,
    modules: ["crm", "content"],
    ...overrides,
  };
  return apiClient(url, ({ method, path, headers, body }) =>
    principalHeaders(
      principal,
      {
        ...{ method, path, requestId: randomUUID(), traceparent: newTraceparent() },
        // HTTP removes blanks around a header's value.
        idempotencyKey: headers["idempotency-key"]?.trim(),
        body: body === undefined ? undefined : Buffer.from(body),
      },
      secret,
    ),
  );
}
