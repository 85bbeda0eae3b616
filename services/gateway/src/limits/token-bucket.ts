// Token buckets. Pure; a bucket store holds the state of each caller's bucket.
//
// A steady bucket fills all the time and can go into debt. A request is admitted while the bucket is not empty. It is then charged
// its whole cost, even if that is more than the bucket holds. So a large request is possible, and the next requests wait until the
// debt is paid. Its state is one number, `msUntilFull`.
//
// A window bucket fills at once, a fixed time after the first token was taken. With 5 failed sign-ins allowed a minute, the sixth
// attempt waits until that minute is over. Its state is the number of tokens taken and the end of the window.

/** The size of a bucket that fills all the time. */
export interface SteadySize {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** Tokens in a full bucket. */
  readonly capacity: number;
}

/** The size of a bucket that fills at once, when its window ends. */
export interface WindowSize {
  /** Counted from the first token that is taken. */
  readonly windowSeconds: number;
  /** Tokens in a full bucket. */
  readonly capacity: number;
}

export type BucketSize = SteadySize | WindowSize;

export interface BucketState {
  readonly isAdmitted: boolean;
  /** How long until the bucket is full again. */
  readonly msUntilFull: number;
}

export interface Charge {
  /** A negative cost gives tokens back, which only window buckets support. */
  readonly cost: number;
  /**
   * 1 for a new request; 0 for an extra charge to an admitted request, which is refused only if there is a debt; "none" for a
   * charge that is never refused, such as for a response that has been sent.
   */
  readonly tokensNeeded: 0 | 1 | "none";
}

/** Takes a token. */
export const ONE: Charge = { cost: 1, tokensNeeded: 1 };
/** Gives a token back. */
export const ONE_BACK: Charge = { cost: -1, tokensNeeded: "none" };
/** Takes nothing, and says whether a token is left. */
export const READ: Charge = { cost: 0, tokensNeeded: 1 };

/** Charges a steady bucket. `msUntilFull` is the state before the charge. A refused charge does not change it. */
export function charge(size: SteadySize, msUntilFull: number, { cost, tokensNeeded }: Charge): BucketState {
  const isAdmitted = tokensNeeded === "none" || tokensLeft(size, msUntilFull) >= tokensNeeded;
  return { isAdmitted, msUntilFull: isAdmitted ? msUntilFull + msOf(size, cost) : msUntilFull };
}

/** Charges a window bucket. `taken` is the number of tokens taken before the charge. A refused charge takes none. */
export function chargeWindow(
  { capacity }: WindowSize,
  taken: number,
  { cost, tokensNeeded }: Charge,
): { readonly isAdmitted: boolean; readonly taken: number } {
  const isAdmitted = tokensNeeded === "none" || capacity - taken >= tokensNeeded;
  return { isAdmitted, taken: isAdmitted ? Math.max(0, taken + cost) : taken };
}

/** Returns the whole tokens left, negative if the bucket is in debt. */
export function tokensLeft(size: SteadySize, msUntilFull: number): number {
  // Rounded to thousandths, so that a rounding error does not cost a token.
  const tokens = size.capacity - (msUntilFull * size.perSecond) / 1000;
  return Math.floor(Math.round(tokens * 1000) / 1000);
}

/** How long until a refused request is admitted, in whole seconds, at least 1: the value of `Retry-After`. */
export function secondsUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return Math.max(1, Math.ceil(msUntilAdmitted(size, msUntilFull) / 1000));
}

/** How long until a refused request is admitted. */
export function msUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return "windowSeconds" in size ? msUntilFull : Math.max(0, msUntilFull - msOf(size, size.capacity - 1));
}

export function msOf({ perSecond }: SteadySize, tokens: number): number {
  return (tokens * 1000) / perSecond;
}
