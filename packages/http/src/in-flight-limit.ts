// Limits how many requests are in progress. One over the limit waits for a slot, for a bounded time and while its client is
// connected.
import type { Socket } from "node:net";
import { ApiError } from "./api-error.ts";

type ReleaseSlot = () => void;

/**
 * Returns no promise if a slot is free. Rejects with the limit's refusal if the queue is full or the wait takes longer than `waitMsMax`,
 * and with 400 if the client disconnects. Only the first release has an effect.
 */
export type AcquireSlot = (
  tenantId: string,
  client: Socket,
  waitMsMax?: number,
) => ReleaseSlot | Promise<ReleaseSlot>;

/** Free slots go to the waiting tenant with the fewest requests in progress. */
export function inFlightLimit(
  limits: AdmissionLimits & { readonly waitMsMax: number },
  refusal: (exhausted: Exhausted) => ApiError,
): AcquireSlot {
  const admission = createAdmission(limits);

  function releaseOnce(tenantId: string): ReleaseSlot {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      admission.release(tenantId);
    };
  }

  function wait(tenantId: string, client: Socket, waitMsMax: number): Promise<ReleaseSlot> {
    return new Promise((resolve, reject) => {
      const refuse = (error: ApiError) => {
        admission.cancel(waiter);
        removeListeners();
        reject(error);
      };
      const onDisconnect = () => refuse(clientDisconnected());
      const deadline = setTimeout(() => refuse(refusal(admission.exhausted(tenantId))), waitMsMax);
      const removeListeners = () => {
        clearTimeout(deadline);
        client.off("close", onDisconnect);
      };
      const waiter = {
        tenantId,
        start: () => {
          removeListeners();
          resolve(releaseOnce(tenantId));
        },
      };
      client.once("close", onDisconnect);
      if (client.destroyed) refuse(clientDisconnected());
      else if (!admission.enqueue(waiter)) refuse(refusal(admission.exhausted(tenantId)));
    });
  }

  return (tenantId, client, waitMsMax = limits.waitMsMax) =>
    admission.tryAcquire(tenantId) ? releaseOnce(tenantId) : wait(tenantId, client, waitMsMax);
}

function clientDisconnected(): ApiError {
  return new ApiError("bad_request", "The client closed the connection.");
}

export interface AdmissionLimits {
  readonly inProgressMax: number;
  readonly inProgressOfTenantMax: number;
  readonly waitingMax: number;
  readonly waitingOfTenantMax: number;
}

type Exhausted = "tenant" | "all";

export interface Waiter {
  readonly tenantId: string;
  readonly start: () => void;
}

/** Holds state only, without timeouts. */
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

  /** Returns the tenant below its limit with the fewest requests in progress. */
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
    /** After true, the caller must call `release`. */
    tryAcquire: (tenantId: string): boolean => {
      if (!hasRoom(tenantId)) return false;
      start(tenantId);
      return true;
    },
    enqueue: (waiter: Waiter): boolean => {
      const queue = queues.get(waiter.tenantId) ?? [];
      if (waitingCount >= limits.waitingMax || queue.length >= limits.waitingOfTenantMax) return false;
      queue.push(waiter);
      queues.set(waiter.tenantId, queue);
      waitingCount += 1;
      return true;
    },
    /** Does nothing if the waiter has started. */
    cancel,
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
    exhausted: (tenantId: string): Exhausted =>
      countOf(tenantId) >= limits.inProgressOfTenantMax ? "tenant" : "all",
  };
}
