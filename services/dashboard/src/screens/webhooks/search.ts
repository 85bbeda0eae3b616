// The search parameters of the screens. Pure.
import { given, isUuid, nameIn } from "../../format/search-values.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

export interface WebhooksSearch {
  /** Lists only the active or only the paused subscriptions. */
  readonly state?: "active" | "paused";
  /** The form for a new subscription is open. */
  readonly create?: true;
  /** The event type that is chosen at first in the form. */
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
  /** The replay whose progress is shown. */
  readonly replay?: string;
  /** The period of the chart; a day by default. */
  readonly days?: typeof WEEK_DAYS;
}

const WEEK_DAYS = 7;

export function subscriptionSearch({ replay, days }: Record<string, unknown>): SubscriptionSearch {
  return given({
    replay: isUuid(replay) ? replay : undefined,
    days: days === WEEK_DAYS ? days : undefined,
  });
}

/** How many days of the ledger are shown. */
export const DAYS_MIN = 7;
export const DAYS_MAX = 30;

export interface LedgerSearch {
  readonly days?: typeof DAYS_MAX;
  /** The day that is unfolded by type. */
  readonly day?: string;
}

export function ledgerSearch({ days, day }: Record<string, unknown>): LedgerSearch {
  return given({
    days: days === DAYS_MAX ? days : undefined,
    day: typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  });
}
