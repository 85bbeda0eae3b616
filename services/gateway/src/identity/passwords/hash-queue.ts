// Limits how many password hashes run at a time. scrypt runs on libuv's threads (4 unless UV_THREADPOOL_SIZE is set). DNS
// lookups, and so new connections, need these threads too: a flood of sign-ins would stop both.
import type { ApiError } from "@tradepost/http";
import { rateLimited } from "../../limits/limits.ts";

export interface HashQueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

/**
 * The person for whom a password is hashed, which decides the place in the queue.
 *
 * - `anyone`: waits in order of arrival.
 * - `known`, a user whose browser or link is recognized: goes before `anyone`, but only one hash of each user and a few of each
 *   tenant, which could otherwise fill the queue. Their other hashes wait like those for anyone.
 * - `staff`, a user whom a tenant's admin adds or changes: waits like `anyone`, and is rejected while another hash for staff of
 *   the tenant is running or waiting.
 */
export type HashedFor =
  | { readonly kind: "anyone" }
  | { readonly kind: "known"; readonly tenantId: string; readonly userId: string }
  | { readonly kind: "staff"; readonly tenantId: string };

const KNOWN_OF_TENANT_MAX = 4;

export function knownAs({ id, tenantId }: { readonly id: string; readonly tenantId: string }): HashedFor {
  return { kind: "known", tenantId, userId: id };
}

export interface HashQueue {
  /**
   * Runs the work when its turn comes. Rejects with 429 at once if the queue is full, and after `waitMsMax` in the queue. If the
   * queue is full, preferred work takes the place of the newest work that is not preferred, which is rejected.
   */
  run<Result>(work: () => Promise<Result>, hashedFor: HashedFor): Promise<Result>;
}

interface Waiting {
  readonly isPreferred: boolean;
  readonly timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: ApiError) => void;
}

const RETRY_AFTER_SECONDS = "2";

export function hashQueue({ runningMax, waitingMax, waitMsMax }: HashQueueLimits): HashQueue {
  let runningCount = 0;
  /** Preferred work first, each kind in order of arrival. */
  const waiting: Waiting[] = [];
  const shares = shareCounts();

  async function waitForTurn(isPreferred: boolean): Promise<void> {
    if (runningCount < runningMax) {
      runningCount += 1;
      return;
    }
    if (waiting.length >= waitingMax && !(isPreferred && makeRoom())) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => refuse(entry), waitMsMax);
    const entry: Waiting = { isPreferred, timer, resolve, reject };
    enqueue(entry);
    await promise;
  }

  function enqueue(entry: Waiting): void {
    const firstOther = entry.isPreferred ? waiting.findIndex((other) => !other.isPreferred) : -1;
    waiting.splice(firstOther === -1 ? waiting.length : firstOther, 0, entry);
  }

  function makeRoom(): boolean {
    const newest = waiting.at(-1);
    if (newest === undefined || newest.isPreferred) return false;
    refuse(newest);
    return true;
  }

  function refuse(entry: Waiting): void {
    waiting.splice(waiting.indexOf(entry), 1);
    clearTimeout(entry.timer);
    entry.reject(busy());
  }

  /** Hands the place directly to the next work in the queue, so that newly arriving work cannot overtake it. */
  function startNext(): void {
    const next = waiting.shift();
    if (next === undefined) {
      runningCount -= 1;
      return;
    }
    clearTimeout(next.timer);
    next.resolve();
  }

  return {
    run: async (work, hashedFor) => {
      const taken = sharesOf(hashedFor);
      const hasShares = shares.take(taken);
      if (hashedFor.kind === "staff" && !hasShares) throw busy();
      try {
        await waitForTurn(hashedFor.kind === "known" && hasShares);
        try {
          return await work();
        } finally {
          startNext();
        }
      } finally {
        if (hasShares) shares.giveBack(taken);
      }
    },
  };
}

interface Share {
  readonly name: string;
  readonly max: number;
}

/** How much work is running or waiting, by share. */
function shareCounts() {
  const counts = new Map<string, number>();
  const countOf = ({ name }: Share) => counts.get(name) ?? 0;
  return {
    /** Takes all of the shares, or returns false if one of them is used up. */
    take: (shares: readonly Share[]): boolean => {
      if (shares.some((share) => countOf(share) >= share.max)) return false;
      for (const share of shares) counts.set(share.name, countOf(share) + 1);
      return true;
    },
    giveBack: (shares: readonly Share[]): void => {
      for (const share of shares) {
        if (countOf(share) === 1) counts.delete(share.name);
        else counts.set(share.name, countOf(share) - 1);
      }
    },
  };
}

function sharesOf(hashedFor: HashedFor): Share[] {
  if (hashedFor.kind === "anyone") return [];
  if (hashedFor.kind === "staff") return [{ name: `staff ${hashedFor.tenantId}`, max: 1 }];
  const { tenantId, userId } = hashedFor;
  return [
    { name: `user ${userId}`, max: 1 },
    { name: `tenant ${tenantId}`, max: KNOWN_OF_TENANT_MAX },
  ];
}

function busy(): ApiError {
  return rateLimited("Too many passwords are being checked at once; try again.", RETRY_AFTER_SECONDS);
}
