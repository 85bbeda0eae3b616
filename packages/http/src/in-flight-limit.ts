// Limits how many requests are in progress at a time. A request over the limit waits for a slot, for a bounded time and
// only while its client is connected.
import type { Socket } from "node:net";
import { type AdmissionLimits, createAdmission, type Exhausted } from "./admission.ts";
import { ApiError } from "./api-error.ts";

/** The limits of an admission, and of the wait. */
export interface InFlightLimits extends AdmissionLimits {
  /** How long a request may wait for a slot. */
  readonly waitMsMax: number;
}

/** Frees the slot. Further calls do nothing. */
type ReleaseSlot = () => void;

/**
 * Takes a slot for a request of the tenant: at once, without a promise, if one is free, else after a wait. Rejects with the
 * limit's refusal if the queue is full or the wait too long, and with 400 if the client disconnects.
 */
export type AcquireSlot = (tenantId: string, client: Socket) => ReleaseSlot | Promise<ReleaseSlot>;

/** Among waiting tenants, the one with the fewest requests in progress is next. `refusal` makes the error for the caller. */
export function inFlightLimit(
  limits: InFlightLimits,
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

  function wait(tenantId: string, client: Socket): Promise<ReleaseSlot> {
    return new Promise((resolve, reject) => {
      const refuse = (error: ApiError) => {
        admission.cancel(waiter);
        removeListeners();
        reject(error);
      };
      const onDisconnect = () => refuse(clientDisconnected());
      const deadline = setTimeout(() => refuse(refusal(admission.exhausted(tenantId))), limits.waitMsMax);
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

  return (tenantId, client) =>
    admission.tryAcquire(tenantId) ? releaseOnce(tenantId) : wait(tenantId, client);
}

function clientDisconnected(): ApiError {
  return new ApiError("bad_request", "The client closed the connection.");
}
