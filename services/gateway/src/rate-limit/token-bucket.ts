// A token bucket that can go into debt. Pure; `bucket-store` keeps its one number for each caller.
//
// A request is admitted while the bucket is not empty, and is then charged its whole cost, even if that is more than
// the bucket holds: a large request is possible, and the next ones wait until the debt is paid.

export interface BucketSize {
  /** Tokens that come back in a second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly capacity: number;
}

export interface BucketState {
  readonly isAdmitted: boolean;
  /** How long until the bucket is full again. */
  readonly msUntilFull: number;
}

export interface Charge {
  readonly cost: number;
  /** 1 for a new request; 0 for a further charge to one that was admitted, which only a debt refuses. */
  readonly tokensNeeded: 0 | 1;
}

/** In: how long until the bucket is full, before the charge. Out: the same after it; unchanged where it is refused. */
export function charge(size: BucketSize, msUntilFull: number, { cost, tokensNeeded }: Charge): BucketState {
  const isAdmitted = tokensLeft(size, msUntilFull) >= tokensNeeded;
  return { isAdmitted, msUntilFull: isAdmitted ? msUntilFull + msOf(size, cost) : msUntilFull };
}

/** Whole tokens; negative in debt. */
export function tokensLeft(size: BucketSize, msUntilFull: number): number {
  // In thousandths, or a bucket that lacks nothing but a rounding error would lack a token.
  const tokens = size.capacity - (msUntilFull * size.perSecond) / 1000;
  return Math.floor(Math.round(tokens * 1000) / 1000);
}

/** Until a request is admitted again. */
export function msUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return Math.max(0, msUntilFull - msOf(size, size.capacity - 1));
}

export function msOf({ perSecond }: BucketSize, tokens: number): number {
  return (tokens * 1000) / perSecond;
}
