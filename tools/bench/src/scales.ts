// The amount of work that a bench does.
import type { Scale } from "./benches/bench.ts";

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
