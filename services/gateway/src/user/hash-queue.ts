// Lets few password hashes run at a time. scrypt runs on libuv's threads (4 unless UV_THREADPOOL_SIZE says otherwise),
// which DNS look-ups and with them new connections need too: a flood of sign-ins would stop both.
import { ApiError } from "@tradepost/http";

export interface HashQueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export interface HashQueue {
  /**
   * Runs the work when its turn comes. Rejects with 429 at once if the queue is full, and after `waitMsMax` if no turn
   * came. `isPreferred` work goes first and, in a full queue, takes the place of the newest work that is not.
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
  /** Preferred ones first, each kind in the order of arrival. */
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

  /** The place passes to the next in line, so that nobody who arrives just now can take it. */
  function passOn(): void {
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
        passOn();
      }
    },
  };
}

function busy(): ApiError {
  return new ApiError("rate_limited", "Too many passwords are being checked at once; try again.", {
    headers: { "retry-after": RETRY_AFTER_SECONDS },
  });
}
