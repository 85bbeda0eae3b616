// PATCH /v1/api-keys/{id}: changes the label of an API key, or lets it expire, or expire earlier.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import type { apiKeyChangeInput } from "../api-key/api-key-input.ts";
import { lockApiKey, updateApiKey } from "../api-key/api-key-store.ts";
import { changedKey } from "../api-key/key-changes.ts";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { differences } from "../audit-log/differences.ts";
import { causeOf, type Gateway } from "./context.ts";

export function changeApiKey(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof apiKeyChangeInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id, body } = request;
    return await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const locked = await lockApiKey(tx, id);
      if (locked === null) throw notFound("API key");
      const { rotatedAt: _, now: __, ...before } = locked;
      const after = changedKey(before, body);
      const changes = differences(before, after);
      if (changes === null) return ok(before);
      const key = await updateApiKey(tx, id, after);
      const target = { type: "api_key", id };
      await recordAudit(tx, { action: "api_key.updated", target, changes }, causeOf(gateway, request));
      return ok(key);
    });
  };
}
