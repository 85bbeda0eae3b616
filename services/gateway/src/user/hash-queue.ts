// Limits how many password hashes run at a time. scrypt runs on libuv's threads (4 unless UV_THREADPOOL_SIZE is set). DNS
// lookups, and so new connections, need these threads too: a flood of sign-ins would stop both.
import type { ApiError } from "@tradepost/http";
import { rateLimited } from "../rate-limit/rate-limited.ts";

export interface HashQueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export interface HashQueue {
  /**
   * Runs the work when it is its turn. Rejects with 429 at once if the queue is full, and after `waitMsMax` in the queue.
   * Preferred work goes first. If the queue is full, it replaces the newest work that is not preferred, which is rejected.
   */
  run<Result>(work: () => Promise<Result>, isPreferred: boolean): Promise<Result>;
}

interface Waiting {
  readonly isPreferred: boolean;
  readonly start: () => void;
  readonly refuse: () => void;
}

const RETRY_AFTER_SECONDS = "2";

export function hashQueue({ runningMax, waitingMax, waitMsMax }: HashQueueLimits): HashQueue {
  let runningCount = 0;
  /** Preferred work first, each kind in the order of arrival. */
  const waiting: Waiting[] = [];

  function turn(isPreferred: boolean): Promise<void> {
    if (runningCount < runningMax) {
      runningCount += 1;
      return Promise.resolve();
    }
    if (waiting.length >= waitingMax && !(isPreferred && makeRoom())) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const refuse = () => {
        remove(entry);
        reject(busy());
      };
      const timer = setTimeout(refuse, waitMsMax);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const entry: Waiting = {
        isPreferred,
        start,
        refuse: () => {
          clearTimeout(timer);
          refuse();
        },
      };
      const firstOther = isPreferred ? waiting.findIndex((other) => !other.isPreferred) : -1;
      waiting.splice(firstOther === -1 ? waiting.length : firstOther, 0, entry);
    });
  }

  function makeRoom(): boolean {
    const newest = waiting.at(-1);
    if (newest === undefined || newest.isPreferred) return false;
    newest.refuse();
    return true;
  }

  function remove(entry: Waiting): void {
    const index = waiting.indexOf(entry);
    if (index !== -1) waiting.splice(index, 1);
  }

  /** Starts the next work directly, so that work that arrives now cannot overtake it. */
  function startNext(): void {
    const next = waiting.shift();
    if (next === undefined) runningCount -= 1;
    else next.start();
  }

  return {
    run: async (work, isPreferred) => {
      await turn(isPreferred);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}

function busy(): ApiError {
  return rateLimited("Too many passwords are being checked at once; try again.", RETRY_AFTER_SECONDS);
}
