// All benches, in the order in which they run. The ones that leave the most data run last.
import type { Bench } from "./bench.ts";
import { delivery } from "./delivery.ts";
import { fairness } from "./fairness.ts";
import { fanOut } from "./fan-out.ts";
import { gateway } from "./gateway.ts";
import { greedy } from "./greedy.ts";
import { idle } from "./idle.ts";
import { latency } from "./latency.ts";
import { lines } from "./lines.ts";
import { lowRate } from "./low-rate.ts";
import { memory } from "./memory.ts";
import { orders } from "./orders.ts";
import { outage } from "./outage.ts";
import { relay } from "./relay.ts";

export const benches: readonly Bench[] = [
  idle,
  orders,
  greedy,
  gateway,
  lines,
  relay,
  lowRate,
  latency,
  delivery,
  fanOut,
  fairness,
  outage,
  memory,
];
