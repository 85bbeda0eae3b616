import { flagOf, like, oneOf, parameters } from "../../format/search-values.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";

export const webhooksSearch = parameters({ create: flagOf, type: oneOf(EVENT_TYPES) });

export const DAYS_MIN = 7;
export const DAYS_MAX = 30;

export const ledgerSearch = parameters({
  days: (value) => (value === DAYS_MAX ? value : undefined),
  day: like(/^\d{4}-\d\d-\d\d$/),
});
