import { busyEndpoint } from "./busy-endpoint.ts";
import { deadEndpoint } from "./dead-endpoint.ts";
import type { Fault } from "./fault.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { hostileImages } from "./hostile-images.ts";
import { hugeEvents } from "./huge-events.ts";
import { replayDuringTraffic } from "./replay-during-traffic.ts";
import {
  alarmFaults,
  connectionFaults,
  processFaults,
  queueFaults,
  receiverFaults,
  serverFaults,
} from "./servers.ts";

export const faults: readonly Fault[] = [
  ...processFaults,
  ...serverFaults,
  ...connectionFaults,
  ...alarmFaults,
  ...queueFaults,
  ...receiverFaults,
  deadEndpoint,
  busyEndpoint,
  hostileBodies,
  hostileImages,
  hugeEvents,
  replayDuringTraffic,
];
