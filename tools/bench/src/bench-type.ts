// What a bench is, and what it works with.

import type { Platform } from "@tradepost/devstack";
import type { Receivers } from "./receivers.ts";
import type { Result } from "./result.ts";

/** How large everything is: the real thing, or short, which shows that it works and measures nothing. */
export interface Scale {
  readonly isShort: boolean;
  /** Of each run. */
  readonly seconds: number;
  readonly turns: number;
  readonly relayEvents: number;
  readonly deliveries: number;
  readonly endpoints: number;
  readonly waitingAtHanging: number;
  readonly ratesPerSecond: readonly number[];
  readonly orderRatesPerSecond: readonly number[];
  readonly storedOrders: number;
  readonly storedDeliveries: number;
  readonly memoryMinutes: number;
}

export interface World {
  readonly platform: Platform;
  readonly receivers: Receivers;
  readonly scale: Scale;
}

export interface Bench {
  readonly name: string;
  /** One line for the list. */
  readonly what: string;
  /** In words, as it was set. */
  readonly target: string;
  readonly run: (world: World) => Promise<Omit<Result, "name" | "target">>;
}
