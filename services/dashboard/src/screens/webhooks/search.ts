// The search parameters of the screens. Pure.
import { given, isUuid, nameIn } from "../../format/search-values.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

export interface WebhooksSearch {
  /** Only those that are active, or only those that are paused. */
  readonly state?: "active" | "paused";
  /** The form for a new subscription is open. */
  readonly create?: true;
  /** The type that the form begins with. */
  readonly type?: EventType;
}

const STATES = { active: "true", paused: "false" } as const;

export function webhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  return given({
    state: nameIn(STATES, search.state),
    create: search.create === true ? search.create : undefined,
    type: nameIn(EVENT_TYPES, search.type),
  });
}

export function activeOf({ state }: WebhooksSearch): { active?: "true" | "false" } {
  return state === undefined ? {} : { active: STATES[state] };
}

export interface SubscriptionSearch {
  /** The recovery whose progress is shown. */
  readonly recovery?: string;
}

export function subscriptionSearch({ recovery }: Record<string, unknown>): SubscriptionSearch {
  return isUuid(recovery) ? { recovery } : {};
}
