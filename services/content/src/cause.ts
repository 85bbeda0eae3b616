// A cause as it is stored with a change that happens later, such as a scheduled publication. Pure.
import type { Cause } from "@tradepost/messaging";

export interface StoredCause {
  readonly actor: Cause["principal"]["actor"];
  readonly requestId: string;
  readonly traceparent: string;
}

export function storedCauseOf({ principal, requestId, traceparent }: Cause): StoredCause {
  return { actor: principal.actor, requestId, traceparent };
}

export function causeFrom(tenantId: string, { actor, requestId, traceparent }: StoredCause): Cause {
  return { principal: { tenantId, actor }, requestId, traceparent };
}
