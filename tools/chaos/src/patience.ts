import type { StartOptions } from "@tradepost/webhooks/service";

/**
 * How long an endpoint fails until it is down, and how often it is tried then. These seconds replace an hour, a minute, a day and
 * 15 minutes. The first is longer than other faults keep a receiver from responding.
 */
export const PATIENCE = {
  downAfterMs: 10_000,
  tryEveryMs: 1_000,
  seldomAfterMs: 12_000,
  trySeldomEveryMs: 3_000,
} satisfies StartOptions["patience"];
