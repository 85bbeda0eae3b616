import type { Observe } from "../observe.ts";
import type { BenchPlatform, MeasuredPlatform } from "../platform.ts";
import type { Samples } from "../ratios.ts";
import type { Receivers } from "../receivers.ts";
import type { Result } from "../result.ts";

/** The amount of work at full scale, with `--beside` and with `--short`. */
const WORK = {
  isShort: [false, false, true],
  seconds: [8, 3, 1],
  /** Turns of Tradepost and of the baseline. */
  turns: [3, 5, 1],
  relayEvents: [100_000, 100_000, 1_000],
  deliveries: [50_000, 50_000, 200],
  endpoints: [50, 10, 4],
  /** Each event has ten deliveries. */
  fanOutEvents: [3_000, 500, 20],
  /** Redirects of a run at full load. */
  redirects: [4_000, 2_500, 100],
  hangingBacklog: [20_000, 20_000, 100],
  hangingTenants: [6, 6, 2],
  hangingEndpoints: [50, 50, 2],
  hangingEvents: [10, 10, 2],
  /** Of the events for the other tenants. */
  strangerSeconds: [15, 15, 1],
  ratesPerSecond: [[50, 500], [50, 500], [50]],
  orderRatesPerSecond: [[100, 500, 1_000], [100, 500, 1_000], [50]],
  idleSeconds: [60, 8, 2],
} satisfies Record<string, readonly [unknown, unknown, unknown]>;
export type Scale = { readonly [Name in keyof typeof WORK]: (typeof WORK)[Name][number] };

const scaleOf = (column: number) =>
  Object.fromEntries(
    Object.entries(WORK).map(([name, scales]) => [name, scales[column]]),
  ) as unknown as Scale;
export const FULL = scaleOf(0);
/** More and shorter turns, because only what is measured at nearly the same time has the same other load. */
export const BESIDE = scaleOf(1);
/** The least that runs every bench. The figures mean nothing. */
export const SHORT = scaleOf(2);

export interface MeasureContext {
  readonly platform: MeasuredPlatform;
  readonly receivers: Receivers;
  readonly scale: Scale;
  readonly observe: Observe;
}

export interface BenchContext extends MeasureContext {
  readonly platform: BenchPlatform;
}

export interface Bench {
  readonly name: string;
  readonly description: string;
  readonly target: string;
  readonly run: (context: BenchContext) => Promise<Omit<Result, "name" | "target">>;
  /** With `--beside`: one turn, on a platform of either commit. */
  readonly turn?: (context: MeasureContext) => Promise<Samples>;
}
