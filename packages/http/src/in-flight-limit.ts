// Limits how many requests are in progress at a time. A request over the limit waits for a slot, for a bounded time and
// only while its client is connected.
import type { Socket } from "node:net";
import { type AdmissionLimits, createAdmission, type Exhausted } from "./admission.ts";
import { ApiError } from "./api-error.ts";

/** The limits of an admission, and of the time in the queue. */
export interface InFlightLimits extends AdmissionLimits {
  /** How long a request may wait for a slot, in ms. */
  readonly waitMsMax: number;
}

/** Frees the slot. Only the first call has an effect. */
type ReleaseSlot = () => void;

/**
 * Takes a slot for a request of the tenant. If one is free, it returns at once without a promise. Rejects with the limit's
 * refusal if the queue is full or the wait takes longer than `waitMsMax`, by default that of the limits, and with 400 if the client
 * disconnects.
 */
export type AcquireSlot = (
  tenantId: string,
  client: Socket,
  waitMsMax?: number,
) => ReleaseSlot | Promise<ReleaseSlot>;

/**
 * Returns a limit with its own slots. Free slots go to the waiting tenant with the fewest requests in progress. `refusal` returns
 * the error for the caller.
 */
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
