import { flagOf, given, nameIn } from "../../format/search-values.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";

export function webhooksSearch({ create, type }: Record<string, unknown>) {
  return given({ create: flagOf(create), type: nameIn(EVENT_TYPES, type) });
}

export const DAYS_MIN = 7;
export const DAYS_MAX = 30;

export function ledgerSearch({ days, day }: Record<string, unknown>) {
  return given({
    days: days === DAYS_MAX ? days : undefined,
    day: typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined,
  });
}
