// Decides how an API key may change, and when a rotated key and its successor expire (interface §2). Pure.
import { ApiError, invalid } from "@tradepost/http";
import type { ApiKey, LockedApiKey } from "./api-key-store.ts";

const HOUR_MS = 3_600_000;

interface KeyChange {
  readonly label?: string | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly allowedAddresses?: string[] | null | undefined;
}

/** Throws 409 `key_revoked`, and 422 unless the expiry is set or brought forward. */
export function changedKey(before: ApiKey, change: KeyChange) {
  refuseRevoked(before);
  const { label = before.label, expiresAt = before.expiresAt } = change;
  const { allowedAddresses = before.allowedAddresses } = change;
  if (before.expiresAt !== null && (expiresAt === null || expiresAt > before.expiresAt)) {
    throw invalid([{ path: "expiresAt", message: "must not be later than the key's present expiry" }]);
  }
  return { label, expiresAt, allowedAddresses };
}

/** Throws 409: `key_revoked`, `rotation_in_progress` before the rotated key has expired, and `conflict` afterwards. */
export function rotationOf(before: LockedApiKey, overlapHours: number) {
  refuseRevoked(before);
  const { createdAt, expiresAt, rotatedAt, now } = before;
  if (expiresAt !== null && expiresAt <= now) {
    throw new ApiError("conflict", "The key has expired; create a new one.");
  }
  if (rotatedAt !== null) {
    throw new ApiError("rotation_in_progress", "The key has been rotated already and expires soon.");
  }
  const overlapEnd = now.getTime() + overlapHours * HOUR_MS;
  return {
    // The end of the overlap, or the key's own expiry.
    oldExpiresAt: new Date(Math.min(overlapEnd, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY)),
    // The new key lives as long as the old one.
    newExpiresAt: expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime()),
  };
}

function refuseRevoked({ revokedAt }: ApiKey): void {
  if (revokedAt !== null) throw new ApiError("key_revoked", "The key has been revoked.");
}
