// The limits of the gateway, which all count in one store.
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import { type CountLimited, countLimited } from "./count-limited.ts";
import { openLimiterStore } from "./open-limiter-store.ts";
import { type ChargeRequest, requestLimit } from "./request-limit.ts";
import { type SignInLimit, signInLimit } from "./sign-in-limit.ts";
import { type StaffRefusals, staffRefusals } from "./staff-refusals.ts";
import { type EnterTenant, tenantConcurrency } from "./tenant-concurrency.ts";

export interface Limits {
  readonly charge: ChargeRequest;
  readonly enterTenant: EnterTenant;
  readonly signIn: SignInLimit;
  readonly staffRefusals: StaffRefusals;
  readonly countLimited: CountLimited;
  stop(): Promise<void>;
}

export async function startLimits(settings: Settings, metrics: Metrics, logger: Logger): Promise<Limits> {
  const store = await openLimiterStore(settings.RATE_LIMIT_REDIS_URL, logger);
  const counter = countLimited(metrics);
  return {
    charge: requestLimit(
      store,
      {
        perSecond: settings.RATE_LIMIT_PER_SECOND,
        perSecondOfTenant: settings.TENANT_RATE_LIMIT_PER_SECOND,
      },
      counter,
    ),
    enterTenant: tenantConcurrency(settings.TENANT_CONCURRENCY_MAX, counter),
    signIn: signInLimit(store, counter),
    staffRefusals: staffRefusals(store, counter),
    countLimited: counter,
    stop: () => store.stop(),
  };
}
