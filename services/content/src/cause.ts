// A cause as it is stored with a change that happens later, such as a scheduled publication.
import type { Cause } from "@tradepost/messaging";

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
