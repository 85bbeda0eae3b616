// Decides who may begin and who waits: so many in progress in all and for each tenant, so many waiting. Pure state;
// `take-place` adds the clock and the client.

export interface AdmissionLimits {
  readonly inProgressMax: number;
  readonly inProgressOfTenantMax: number;
  readonly waitingMax: number;
  readonly waitingOfTenantMax: number;
}

/** Which of the two limits keeps a request from beginning. */
export type Exhausted = "tenant" | "all";

export interface Waiting {
  readonly tenantId: string;
  /** Called when it is its turn: from then on it is in progress. */
  readonly begin: () => void;
}

export function createAdmission(limits: AdmissionLimits) {
  const inProgress = new Map<string, number>();
  const queues = new Map<string, Waiting[]>();
  let inProgressCount = 0;
  let waitingCount = 0;

  const ofTenant = (tenantId: string) => inProgress.get(tenantId) ?? 0;
  const hasRoom = (tenantId: string) =>
    inProgressCount < limits.inProgressMax && ofTenant(tenantId) < limits.inProgressOfTenantMax;

  function begin(tenantId: string): void {
    inProgressCount += 1;
    inProgress.set(tenantId, ofTenant(tenantId) + 1);
  }

  /** Among the tenants that wait and have room, the one with the fewest in progress is next. */
  function nextTenant(): string | undefined {
    let next: string | undefined;
    for (const tenantId of queues.keys()) {
      if (hasRoom(tenantId) && (next === undefined || ofTenant(tenantId) < ofTenant(next))) next = tenantId;
    }
    return next;
  }

  function withdraw(waiting: Waiting): void {
    const queue = queues.get(waiting.tenantId) ?? [];
    const index = queue.indexOf(waiting);
    if (index < 0) return;
    queue.splice(index, 1);
    waitingCount -= 1;
    if (queue.length === 0) queues.delete(waiting.tenantId);
  }

  return {
    /** True where there is room at once; whoever gets it calls `leave` when done. */
    enter: (tenantId: string): boolean => {
      if (!hasRoom(tenantId)) return false;
      begin(tenantId);
      return true;
    },
    /** False where the queue is full. */
    wait: (waiting: Waiting): boolean => {
      const queue = queues.get(waiting.tenantId) ?? [];
      if (waitingCount >= limits.waitingMax || queue.length >= limits.waitingOfTenantMax) return false;
      queue.push(waiting);
      queues.set(waiting.tenantId, queue);
      waitingCount += 1;
      return true;
    },
    /** Takes a request that no longer waits out of the queue. */
    withdraw,
    /** Frees the place of one request; the next one that waits begins. */
    leave: (tenantId: string): void => {
      inProgressCount -= 1;
      const left = ofTenant(tenantId) - 1;
      if (left === 0) inProgress.delete(tenantId);
      else inProgress.set(tenantId, left);
      const next = nextTenant();
      const waiting = next === undefined ? undefined : queues.get(next)?.[0];
      if (waiting === undefined) return;
      withdraw(waiting);
      begin(waiting.tenantId);
      waiting.begin();
    },
    /** Why a request of this tenant cannot begin now. */
    exhausted: (tenantId: string): Exhausted =>
      ofTenant(tenantId) >= limits.inProgressOfTenantMax ? "tenant" : "all",
  };
}
