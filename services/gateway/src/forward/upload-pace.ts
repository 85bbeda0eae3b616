// How slowly an upload may arrive. Pure.

export interface Pace {
  /** How long a client may send nothing. */
  readonly silenceMsMax: number;
  /** After this, the average so far counts. */
  readonly graceMs: number;
  readonly bytesPerSecondMin: number;
}

// A slower client takes longer than the time that any request has to arrive in (15 minutes for 25 MiB: 28 KiB/s) and
// would only hold a place of its tenant.
export const UPLOAD_PACE: Pace = { silenceMsMax: 30_000, graceMs: 30_000, bytesPerSecondMin: 16 * 1024 };

export interface Progress {
  readonly bytes: number;
  /** Time spent waiting for the client; time in which the service took nothing does not count. */
  readonly waitedMs: number;
  /** How much of it since the last byte. */
  readonly silentMs: number;
}

export function isTooSlow(pace: Pace, { bytes, waitedMs, silentMs }: Progress): boolean {
  const isBelowAverage = bytes < (waitedMs / 1000) * pace.bytesPerSecondMin;
  return silentMs >= pace.silenceMsMax || (waitedMs >= pace.graceMs && isBelowAverage);
}
