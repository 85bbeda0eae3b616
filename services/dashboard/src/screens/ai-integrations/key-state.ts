// Whether a key works. Pure.
import type { DataOf } from "@tradepost/client/operations";

export type ApiKey = DataOf<"getApiKey">;
export type KeyState = "active" | "expires soon" | "expired" | "revoked";

const SOON_MS = 7 * 24 * 3_600_000;

export function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "expired";
  return left < SOON_MS ? "expires soon" : "active";
}

export function works(key: ApiKey, now: number): boolean {
  const state = stateOf(key, now);
  return state === "active" || state === "expires soon";
}
