// A token bucket that can go into debt. Pure; `bucket-store.ts` holds one number, `msUntilFull`, for each caller.
//
// A request is admitted while the bucket is not empty. It is then charged its whole cost, even if that is more than the
// bucket holds. So a large request is possible, and the next requests wait until the debt is paid.

export interface BucketSize {
  /** Tokens added in a second. */
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
  /**
   * 1 for a new request; 0 for an extra charge to an admitted request, which is refused only if there is a debt; "none" for
   * what has happened, which is charged in any case.
   */
  readonly tokensNeeded: 0 | 1 | "none";
}

/** `msUntilFull` is the state before the charge. A refused charge does not change it. */
export function charge(size: BucketSize, msUntilFull: number, { cost, tokensNeeded }: Charge): BucketState {
  const isAdmitted = tokensNeeded === "none" || tokensLeft(size, msUntilFull) >= tokensNeeded;
  return { isAdmitted, msUntilFull: isAdmitted ? msUntilFull + msOf(size, cost) : msUntilFull };
}

/** Whole tokens; negative in debt. */
export function tokensLeft(size: BucketSize, msUntilFull: number): number {
  // Rounded to thousandths, so that a rounding error does not cost a token.
  const tokens = size.capacity - (msUntilFull * size.perSecond) / 1000;
  return Math.floor(Math.round(tokens * 1000) / 1000);
}

/** How long until a request is admitted again. */
export function msUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return Math.max(0, msUntilFull - msOf(size, size.capacity - 1));
}

export function msOf({ perSecond }: BucketSize, tokens: number): number {
  return (tokens * 1000) / perSecond;
}
