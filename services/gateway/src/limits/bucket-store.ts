import {
  type BucketSize,
  type BucketState,
  type Charge,
  charge,
  type SteadySize,
  type WindowSize,
} from "./token-bucket.ts";

export type ChargeBucket = (key: string, toCharge: Charge) => BucketState | Promise<BucketState>;

export interface BucketStore {
  /** Each set of buckets has its own `name`. */
  buckets(name: string, size: BucketSize): ChargeBucket;
  stop(): Promise<void>;
}

export function memoryStore(): BucketStore {
  return { buckets: (_name, size) => memoryBuckets(size), stop: async () => {} };
}

export function memoryBuckets(size: BucketSize): ChargeBucket {
  return "windowSeconds" in size ? windowBuckets(size).charge : steadyBuckets(size);
}

// A full bucket needs no entry.
const DELETE_FULL_EVERY_MS = 10_000;

function steadyBuckets(size: SteadySize): ChargeBucket {
  const fullAt = new Map<string, number>();
  let deletedAt = performance.now();
  return (key, toCharge) => {
    const now = performance.now();
    if (now - deletedAt > DELETE_FULL_EVERY_MS) {
      deletedAt = now;
      for (const [each, at] of fullAt) if (at <= now) fullAt.delete(each);
    }
    const state = charge(size, Math.max(0, (fullAt.get(key) ?? 0) - now), toCharge);
    if (state.isAdmitted) fullAt.set(key, now + state.msUntilFull);
    return state;
  };
}

// About 20 MB. Failed sign-ins never come near it: each needs a password hash.
const WINDOWS_MAX = 100_000;

/** An attacker can invent any number of e-mails and addresses, so a further entry replaces the oldest. */
export function windowBuckets(size: WindowSize, windowsMax = WINDOWS_MAX) {
  const windows = new Map<string, { readonly taken: number; readonly endsAt: number }>();
  let deletedAt = performance.now();
  const chargeOne = (key: string, { cost, tokensNeeded }: Charge): BucketState => {
    const now = performance.now();
    if (now - deletedAt > DELETE_FULL_EVERY_MS) {
      deletedAt = now;
      for (const [each, { endsAt }] of windows) if (endsAt <= now) windows.delete(each);
    }
    const found = windows.get(key);
    const open = found !== undefined && found.endsAt > now ? found : null;
    const endsAt = open?.endsAt ?? now + size.windowSeconds * 1000;
    const before = open?.taken ?? 0;
    const isAdmitted = tokensNeeded === "none" || size.capacity - before >= tokensNeeded;
    // A refused charge takes no token.
    const taken = isAdmitted ? Math.max(0, before + cost) : before;
    windows.delete(key);
    if (taken === 0) return { isAdmitted, msUntilFull: 0 };
    windows.set(key, { taken, endsAt });
    const [oldest] = windows.keys();
    if (windows.size > windowsMax && oldest !== undefined) windows.delete(oldest);
    return { isAdmitted, msUntilFull: endsAt - now };
  };
  return { charge: chargeOne, count: () => windows.size };
}
