// The search parameters of the screens. Pure.
import { given, isUuid, nameIn } from "../../format/search-values.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

export interface WebhooksSearch {
  readonly state?: "active" | "paused";
  readonly create?: true;
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

export const DAYS_MIN = 7;
export const DAYS_MAX = 30;

export interface LedgerSearch {
  readonly days?: typeof DAYS_MAX;
  readonly day?: string;
}

export function ledgerSearch({ days, day }: Record<string, unknown>): LedgerSearch {
  return given({
    days: days === DAYS_MAX ? days : undefined,
    day: typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  });
}
