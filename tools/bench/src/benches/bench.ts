import type { Observe } from "../observe.ts";
import type { BenchPlatform, MeasuredPlatform } from "../platform.ts";
import type { Samples } from "../ratios.ts";
import type { Receivers } from "../receivers.ts";
import type { Result } from "../result.ts";

/** The amount of work. `--short` does the least that runs every bench; its figures mean nothing. */
export interface Scale {
  readonly isShort: boolean;
  readonly seconds: number;
  /** Of Tradepost and the baseline in turn. */
  readonly turns: number;
  readonly relayEvents: number;
  readonly deliveries: number;
  readonly endpoints: number;
  /** Each event has ten deliveries. */
  readonly fanOutEvents: number;
  /** Of a run at full load. */
  readonly redirects: number;
  readonly hangingBacklog: number;
  readonly hangingTenants: number;
  readonly hangingEndpoints: number;
  readonly hangingEvents: number;
  /** Of the events for the other tenants. */
  readonly strangerSeconds: number;
  readonly ratesPerSecond: readonly number[];
  readonly orderRatesPerSecond: readonly number[];
  readonly idleSeconds: number;
  /** From the end of a load to a measurement of the platform at rest. */
  readonly restSeconds: readonly number[];
}

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
  readonly run?: (context: BenchContext) => Promise<Omit<Result, "name" | "target">>;
  /** With `--beside`: one turn, on a platform of either commit. */
  readonly turn?: (context: MeasureContext) => Promise<Samples>;
  /** With `--beside`: measures both platforms at the same time. */
  readonly atOnce?: (contexts: readonly MeasureContext[]) => Promise<Samples[]>;
}

export const FULL: Scale = {
  isShort: false,
  seconds: 8,
  turns: 3,
  relayEvents: 100_000,
  deliveries: 50_000,
  endpoints: 50,
  fanOutEvents: 3_000,
  redirects: 4_000,
  hangingBacklog: 20_000,
  hangingTenants: 6,
  hangingEndpoints: 50,
  hangingEvents: 10,
  strangerSeconds: 15,
  ratesPerSecond: [50, 500],
  orderRatesPerSecond: [100, 500, 1_000],
  idleSeconds: 60,
  restSeconds: [5, 60, 180],
};
/** More and shorter turns, because only what is measured at nearly the same time has the same other load. */
export const BESIDE: Scale = {
  ...FULL,
  seconds: 3,
  turns: 5,
  endpoints: 10,
  fanOutEvents: 500,
  redirects: 2_500,
  idleSeconds: 8,
};
/** The figures of this scale mean nothing. */
export const SHORT: Scale = {
  isShort: true,
  seconds: 1,
  turns: 1,
  relayEvents: 1_000,
  deliveries: 200,
  endpoints: 4,
  fanOutEvents: 20,
  redirects: 100,
  hangingBacklog: 100,
  hangingTenants: 2,
  hangingEndpoints: 2,
  hangingEvents: 2,
  strangerSeconds: 1,
  ratesPerSecond: [50],
  orderRatesPerSecond: [50],
  idleSeconds: 2,
  restSeconds: [1],
};
