// The search parameters of the screens. Pure.
import { flagOf, given, isUuid, nameIn } from "../../format/search-values.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";

const STATES = { active: "true", paused: "false" } as const;

export function webhooksSearch(search: Record<string, unknown>) {
  return given({
    state: nameIn(STATES, search.state),
    create: flagOf(search.create),
    type: nameIn(EVENT_TYPES, search.type),
  });
}

export function activeOf({ state }: ReturnType<typeof webhooksSearch>): { active?: "true" | "false" } {
  return state === undefined ? {} : { active: STATES[state] };
}

const WEEK_DAYS = 7;

export function subscriptionSearch({ replay, days }: Record<string, unknown>) {
  return given({
    replay: isUuid(replay) ? replay : undefined,
    days: days === WEEK_DAYS ? days : undefined,
  });
}

export const DAYS_MIN = 7;
export const DAYS_MAX = 30;

export function ledgerSearch({ days, day }: Record<string, unknown>) {
  return given({
    days: days === DAYS_MAX ? days : undefined,
    day: typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  });
}
