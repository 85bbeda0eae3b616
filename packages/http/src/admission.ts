// Decides which requests may start and which wait, with limits for all tenants together and for each tenant. Holds state
// only; `in-flight-limit.ts` adds timeouts and clients that disconnect.

/** The most requests in progress and the most waiting, in total and for each tenant. */
export interface AdmissionLimits {
  readonly inProgressMax: number;
  readonly inProgressOfTenantMax: number;
  readonly waitingMax: number;
  readonly waitingOfTenantMax: number;
}

/** The limit that keeps a request from starting: the tenant's own or the one for all tenants. */
export type Exhausted = "tenant" | "all";

/** A request that waits for a slot. */
export interface Waiter {
  readonly tenantId: string;
  /** Called when the request gets a slot. From then on it counts as in progress. */
  readonly start: () => void;
}

/** Returns an admission with nothing in progress and nothing waiting. */
export function createAdmission(limits: AdmissionLimits) {
  const inProgressByTenant = new Map<string, number>();
  const queues = new Map<string, Waiter[]>();
  let inProgressCount = 0;
  let waitingCount = 0;

  const countOf = (tenantId: string) => inProgressByTenant.get(tenantId) ?? 0;
  const hasRoom = (tenantId: string) =>
    inProgressCount < limits.inProgressMax && countOf(tenantId) < limits.inProgressOfTenantMax;

  function start(tenantId: string): void {
    inProgressCount += 1;
    inProgressByTenant.set(tenantId, countOf(tenantId) + 1);
  }

  /** Returns the waiting tenant with the fewest requests in progress, among tenants below their limit. */
  function nextTenant(): string | undefined {
    let next: string | undefined;
    for (const tenantId of queues.keys()) {
      if (hasRoom(tenantId) && (next === undefined || countOf(tenantId) < countOf(next))) next = tenantId;
    }
    return next;
  }

  function cancel(waiter: Waiter): void {
    const queue = queues.get(waiter.tenantId) ?? [];
    const index = queue.indexOf(waiter);
    if (index < 0) return;
    queue.splice(index, 1);
    waitingCount -= 1;
    if (queue.length === 0) queues.delete(waiter.tenantId);
  }

  return {
    /** Takes a slot if one is free and reports whether it did. After true, the caller must call `release`. */
    tryAcquire: (tenantId: string): boolean => {
      if (!hasRoom(tenantId)) return false;
      start(tenantId);
      return true;
    },
    /** Adds a waiter to its tenant's queue, or returns false if the queue is full. */
    enqueue: (waiter: Waiter): boolean => {
      const queue = queues.get(waiter.tenantId) ?? [];
      if (waitingCount >= limits.waitingMax || queue.length >= limits.waitingOfTenantMax) return false;
      queue.push(waiter);
      queues.set(waiter.tenantId, queue);
      waitingCount += 1;
      return true;
    },
    /** Removes a waiter from its queue; does nothing if it has started. */
    cancel,
    /** Frees a slot and starts the next waiter. */
    release: (tenantId: string): void => {
      inProgressCount -= 1;
      const remaining = countOf(tenantId) - 1;
      if (remaining === 0) inProgressByTenant.delete(tenantId);
      else inProgressByTenant.set(tenantId, remaining);
      const next = nextTenant();
      const waiter = next === undefined ? undefined : queues.get(next)?.[0];
      if (waiter === undefined) return;
      cancel(waiter);
      start(waiter.tenantId);
      waiter.start();
    },
    /** Returns the limit that keeps a request of this tenant from starting now. */
    exhausted: (tenantId: string): Exhausted =>
      countOf(tenantId) >= limits.inProgressOfTenantMax ? "tenant" : "all",
  };
}
