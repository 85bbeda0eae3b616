// Which quotas a tenant has nearly used up. Pure.
import { type Quota, quotas } from "@tradepost/http";

/** Null without a quota. */
export type Maxima = Readonly<Record<Quota, number | null>>;
export type Used = Readonly<Record<Quota, number>>;

const NEAR = 0.8;
// A notice that closed just below 80 % would soon open again.
const FAR = 0.7;

/** A quota is near from 80 % of it until less than 70 % are used. `before` are the quotas that were near at the last check. */
export function nearQuotas(used: Used, max: Maxima, before: readonly Quota[]): Quota[] {
  return quotas.filter((quota) => {
    const most = max[quota];
    return most !== null && used[quota] >= most * (before.includes(quota) ? FAR : NEAR);
  });
}
