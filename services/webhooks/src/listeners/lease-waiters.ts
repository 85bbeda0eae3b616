// The requests of listeners' clients that wait for a delivery to lease.
import type { ListenerId } from "./lease-deliveries.ts";

export interface LeaseWaiters {
  /** Wakes one request of each; if it was served or its client has gone, the next one. */
  wake(listenerIds: readonly string[]): void;
  watch(id: ListenerId): WaitingRequest;
  listeners(): ListenerId[];
  readonly count: number;
}

interface WaitingRequest {
  /** Resolves once the request is woken, or after `dueInMs`. */
  next(dueInMs: number | null): Promise<void>;
  /** Wakes the listener's next request once this one stops. */
  pass(): void;
  stop(): void;
}

interface Waiter {
  readonly id: ListenerId;
  wake(): void;
}

export function createLeaseWaiters(): LeaseWaiters {
  const waiters = new Map<string, Set<Waiter>>();

  function wake(listenerIds: readonly string[]): void {
    for (const id of listenerIds) {
      const [first] = waiters.get(id) ?? [];
      first?.wake();
    }
  }

  function watch(id: ListenerId): WaitingRequest {
    const { listenerId } = id;
    let woken = Promise.withResolvers<void>();
    let hasTurn = false;
    let dueTimer: NodeJS.Timeout | undefined;
    const waiter: Waiter = {
      id,
      wake: () => {
        hasTurn = true;
        woken.resolve();
      },
    };
    const ofListener = waiters.get(listenerId) ?? new Set();
    waiters.set(listenerId, ofListener.add(waiter));
    return {
      next: async (dueInMs) => {
        if (dueInMs !== null) dueTimer = setTimeout(waiter.wake, dueInMs);
        await woken.promise;
        clearTimeout(dueTimer);
        hasTurn = false;
        woken = Promise.withResolvers();
      },
      pass: () => {
        hasTurn = true;
      },
      stop: () => {
        clearTimeout(dueTimer);
        ofListener.delete(waiter);
        if (ofListener.size === 0) waiters.delete(listenerId);
        if (hasTurn) wake([listenerId]);
      },
    };
  }

  return {
    ...{ wake, watch },
    listeners: () => [...waiters.values()].flatMap(([waiter]) => (waiter === undefined ? [] : [waiter.id])),
    get count() {
      return [...waiters.values()].reduce((sum, { size }) => sum + size, 0);
    },
  };
}
