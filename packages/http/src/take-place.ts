// Waits for a place in an admission: for a bounded time, and only as long as the client is there.
import type { Socket } from "node:net";
import { type AdmissionLimits, createAdmission, type Exhausted } from "./admission.ts";
import { ApiError } from "./api-error.ts";

export interface PlaceLimits extends AdmissionLimits {
  readonly waitMsMax: number;
}

/** Frees the place; calls after the first do nothing. */
type Leave = () => void;

/**
 * Resolves once the tenant has a place, at once where there is one. Throws what `refusal` makes where the queue is
 * full or the wait too long, and 400 where the client goes away.
 */
export type TakePlace = (tenantId: string, client: Socket) => Leave | Promise<Leave>;

export function places(limits: PlaceLimits, refusal: (exhausted: Exhausted) => ApiError): TakePlace {
  const admission = createAdmission(limits);

  function leaveOnce(tenantId: string): Leave {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      admission.leave(tenantId);
    };
  }

  function wait(tenantId: string, client: Socket): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const giveUp = (error: ApiError) => {
        admission.withdraw(waiting);
        settle();
        reject(error);
      };
      const onGone = () => giveUp(clientIsGone());
      const deadline = setTimeout(() => giveUp(refusal(admission.exhausted(tenantId))), limits.waitMsMax);
      const settle = () => {
        clearTimeout(deadline);
        client.off("close", onGone);
      };
      const waiting = {
        tenantId,
        begin: () => {
          settle();
          resolve(leaveOnce(tenantId));
        },
      };
      client.once("close", onGone);
      if (client.destroyed) giveUp(clientIsGone());
      else if (!admission.wait(waiting)) giveUp(refusal(admission.exhausted(tenantId)));
    });
  }

  return (tenantId, client) => (admission.enter(tenantId) ? leaveOnce(tenantId) : wait(tenantId, client));
}

function clientIsGone(): ApiError {
  return new ApiError("bad_request", "The client closed the connection.");
}
