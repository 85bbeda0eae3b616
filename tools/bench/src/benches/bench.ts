import type { Platform } from "@tradepost/devstack";
import type { Observe } from "../observe.ts";
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
  readonly hangingBacklog: number;
  readonly hangingTenants: number;
  readonly hangingEndpoints: number;
  readonly hangingEvents: number;
  /** Of the events for the other tenants. */
  readonly strangerSeconds: number;
  readonly ratesPerSecond: readonly number[];
  readonly orderRatesPerSecond: readonly number[];
  readonly idleSeconds: number;
  readonly memoryMinutes: number;
}

export interface BenchContext {
  readonly platform: Platform;
  readonly receivers: Receivers;
  readonly scale: Scale;
  readonly observe: Observe;
}

export interface Bench {
  readonly name: string;
  readonly description: string;
  readonly target: string;
  readonly run: (context: BenchContext) => Promise<Omit<Result, "name" | "target">>;
}

export const FULL: Scale = {
  isShort: false,
  seconds: 8,
  turns: 3,
  relayEvents: 100_000,
  deliveries: 50_000,
  endpoints: 50,
  fanOutEvents: 3_000,
  hangingBacklog: 20_000,
  hangingTenants: 6,
  hangingEndpoints: 50,
  hangingEvents: 10,
  strangerSeconds: 15,
  ratesPerSecond: [50, 500],
  orderRatesPerSecond: [100, 500, 1_000],
  idleSeconds: 60,
  memoryMinutes: 10,
};
/** The figures of this scale mean nothing. */
export const SHORT: Scale = {
  isShort: true,
  seconds: 2,
  turns: 1,
  relayEvents: 1_000,
  deliveries: 200,
  endpoints: 4,
  fanOutEvents: 20,
  hangingBacklog: 100,
  hangingTenants: 2,
  hangingEndpoints: 2,
  hangingEvents: 2,
  strangerSeconds: 1,
  ratesPerSecond: [50],
  orderRatesPerSecond: [50],
  idleSeconds: 2,
  memoryMinutes: 0.02,
};
