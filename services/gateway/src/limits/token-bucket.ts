// Token buckets. Pure.
//
// A steady bucket fills all the time. A request is admitted while it is not empty, and charged its whole cost, even if that is
// more than the bucket holds; the next requests wait until the debt is paid. Its state is `msUntilFull`.
//
// A window bucket fills at once, a fixed time after the first token was taken: with 5 failed sign-ins allowed a minute, the sixth
// waits until that minute is over. Its state is the number of tokens taken and the end of the window.

export interface SteadySize {
  readonly perSecond: number;
  readonly capacity: number;
}

export interface WindowSize {
  readonly windowSeconds: number;
  readonly capacity: number;
}

export type BucketSize = SteadySize | WindowSize;

export interface BucketState {
  readonly isAdmitted: boolean;
  readonly msUntilFull: number;
}

export interface Charge {
  /** A negative cost gives tokens back, to window buckets only. */
  readonly cost: number;
  /** 1 for a new request; 0 for an extra charge, refused only in debt; "none" for a charge that is never refused. */
  readonly tokensNeeded: 0 | 1 | "none";
}

export const ONE: Charge = { cost: 1, tokensNeeded: 1 };
export const ONE_BACK: Charge = { cost: -1, tokensNeeded: "none" };
export const READ: Charge = { cost: 0, tokensNeeded: 1 };

/** `msUntilFull` is the state before the charge. A refused charge changes nothing. */
export function charge(size: SteadySize, msUntilFull: number, { cost, tokensNeeded }: Charge): BucketState {
  const isAdmitted = tokensNeeded === "none" || tokensLeft(size, msUntilFull) >= tokensNeeded;
  return { isAdmitted, msUntilFull: isAdmitted ? msUntilFull + msOf(size, cost) : msUntilFull };
}

export function tokensLeft(size: SteadySize, msUntilFull: number): number {
  // So that a rounding error does not cost a token.
  const tokens = size.capacity - (msUntilFull * size.perSecond) / 1000;
  return Math.floor(Math.round(tokens * 1000) / 1000);
}

/** The value of `Retry-After`: at least 1. */
export function secondsUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return Math.max(1, Math.ceil(msUntilAdmitted(size, msUntilFull) / 1000));
}

export function msUntilAdmitted(size: BucketSize, msUntilFull: number): number {
  return "windowSeconds" in size ? msUntilFull : Math.max(0, msUntilFull - msOf(size, size.capacity - 1));
}

export function msOf({ perSecond }: SteadySize, tokens: number): number {
  return (tokens * 1000) / perSecond;
}
