// Calls a service as the gateway does: each request signed, for whichever caller a test wants to be.
import { randomUUID } from "node:crypto";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";
import { type ApiClient, apiClient } from "./api-client.ts";

const EVERYTHING = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];

/**
 * In: the service's URL, the secret it shares with the gateway, and what differs from an owner with every module.
 * Out: a client whose calls carry a fresh signature.
 */
export function signedClient(url: string, secret: string, differing: Partial<Principal> = {}): ApiClient {
  const principal: Principal = {
    tenantId: randomUUID(),
    role: "owner",
    actor: { type: "user", id: randomUUID(), name: "Test Owner" },
    scopes: EVERYTHING,
    modules: ["crm", "content"],
    ...differing,
  };
  return apiClient(url, (method, path) =>
    principalHeaders(
      principal,
      { method, path, requestId: randomUUID(), traceparent: newTraceparent() },
      secret,
    ),
  );
}
