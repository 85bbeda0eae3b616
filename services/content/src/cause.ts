// Who caused a change and under which request: at once, or kept until the change's time comes.
import type { outboxRow } from "@tradepost/messaging";

export type Cause = Parameters<typeof outboxRow>[3];

/** A cause as it is stored beside what is still to happen because of it. */
export interface OnBehalf {
  readonly actor: Cause["principal"]["actor"];
  readonly requestId: string;
  readonly traceparent: string;
}

export function onBehalfOf({ principal, requestId, traceparent }: Cause): OnBehalf {
  return { actor: principal.actor, requestId, traceparent };
}

export function causeOf(tenantId: string, { actor, requestId, traceparent }: OnBehalf): Cause {
  return { principal: { tenantId, actor }, requestId, traceparent };
}
