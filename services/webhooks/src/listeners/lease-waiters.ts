// The requests of listeners' clients that wait for a delivery to lease.
import type { ListenerId } from "./lease-deliveries.ts";

export type LeaseWaiters = ReturnType<typeof createLeaseWaiters>;

interface Waiter {
  readonly id: ListenerId;
  wake(): void;
}

export function createLeaseWaiters() {
  const waiters = new Map<string, Set<Waiter>>();

  /** Wakes one request of each listener, and the next once that one was served or its client has gone. */
  function wake(listenerIds: readonly string[]): void {
    for (const id of listenerIds) {
      const [first] = waiters.get(id) ?? [];
      first?.wake();
    }
  }

  function watch(id: ListenerId) {
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
      /** Resolves once the request is woken, or after `dueInMs`. */
      next: async (dueInMs: number | null): Promise<void> => {
        if (dueInMs !== null) dueTimer = setTimeout(waiter.wake, dueInMs);
        await woken.promise;
        clearTimeout(dueTimer);
        hasTurn = false;
        woken = Promise.withResolvers<void>();
      },
      /** Wakes the listener's next request once this one stops. */
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
    listeners: (): ListenerId[] =>
      [...waiters.values()].flatMap(([waiter]) => (waiter === undefined ? [] : [waiter.id])),
    get count() {
      return [...waiters.values()].reduce((sum, { size }) => sum + size, 0);
    },
  };
}
