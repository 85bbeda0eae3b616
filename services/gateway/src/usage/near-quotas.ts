import { type Quota, quotas } from "@tradepost/messaging";

export type Maxima = Readonly<Record<Quota, number | null>>;
export type Used = Readonly<Record<Quota, number>>;

const NEAR = 0.8;
// A notice that closed just below 80 % would soon open again.
const FAR = 0.7;

/** A quota becomes near at 80 %, and stays near until less than 70 % are used. `before` are the quotas near at the last check. */
export function nearQuotas(used: Used, max: Maxima, before: readonly Quota[]): Quota[] {
  return quotas.filter((quota) => {
    const most = max[quota];
    return most !== null && used[quota] >= most * (before.includes(quota) ? FAR : NEAR);
  });
}
