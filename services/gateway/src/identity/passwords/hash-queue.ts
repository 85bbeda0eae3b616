// Limits how many password hashes run at a time. scrypt needs libuv's threads, as DNS lookups do: a flood of sign-ins would stop
// new connections.
import type { ApiError } from "@tradepost/http";
import { rateLimited } from "../../limits/limits.ts";

/**
 * Decides the place in the queue.
 *
 * - `anyone`: in order of arrival.
 * - `known`, a user whose browser or link is recognized: before `anyone`, but only one hash of each user and a few of each
 * tenant.
 * - `staff`, whom an admin adds or changes: like `anyone`, and rejected while another one of the tenant runs or waits.
 */
export type HashedFor =
  | { readonly kind: "anyone" }
  | { readonly kind: "known"; readonly tenantId: string; readonly userId: string }
  | { readonly kind: "staff"; readonly tenantId: string };

const KNOWN_OF_TENANT_MAX = 4;

export function knownAs({ id, tenantId }: { readonly id: string; readonly tenantId: string }): HashedFor {
  return { kind: "known", tenantId, userId: id };
}

interface Waiting {
  readonly isPreferred: boolean;
  readonly timer: NodeJS.Timeout;
  readonly resolve: () => void;
  readonly reject: (error: ApiError) => void;
}

const RETRY_AFTER_SECONDS = "2";

export function hashQueue(limits: Record<"runningMax" | "waitingMax" | "waitMsMax", number>) {
  const { runningMax, waitingMax, waitMsMax } = limits;
  let runningCount = 0;
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

  /** Newly arriving work cannot overtake the queue. */
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
    /** Rejects with 429 if the queue is full, and after `waitMsMax`. Preferred work replaces the newest other work. */
    run: async <Result>(work: () => Promise<Result>, hashedFor: HashedFor): Promise<Result> => {
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

function shareCounts() {
  const counts = new Map<string, number>();
  const countOf = ({ name }: Share) => counts.get(name) ?? 0;
  return {
    /** False if one of the shares is used up. */
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
