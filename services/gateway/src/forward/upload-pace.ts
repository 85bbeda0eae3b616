// Decides whether an upload arrives too slowly. Pure.

export interface Pace {
  /** A client may send nothing for this long. */
  readonly silenceMsMax: number;
  /** The average rate is checked from here on. */
  readonly graceMs: number;
  readonly bytesPerSecondMin: number;
}

// The largest upload (25 MiB) has 15 minutes to arrive, which takes 28 KiB/s. A client below 16 KiB/s cannot finish in time
// and would only block one of its tenant's uploads.
export const UPLOAD_PACE: Pace = { silenceMsMax: 30_000, graceMs: 30_000, bytesPerSecondMin: 16 * 1024 };

export interface Progress {
  readonly bytes: number;
  /** Time spent waiting for the client. Time spent waiting for the service does not count. */
  readonly waitedMs: number;
  /** Time spent waiting for the client since the last byte. */
  readonly silentMs: number;
}

export function isTooSlow(pace: Pace, { bytes, waitedMs, silentMs }: Progress): boolean {
  const isBelowAverage = bytes < (waitedMs / 1000) * pace.bytesPerSecondMin;
  return silentMs >= pace.silenceMsMax || (waitedMs >= pace.graceMs && isBelowAverage);
}
