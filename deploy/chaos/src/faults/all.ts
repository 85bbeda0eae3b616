// Every fault there is, in the order in which a run strikes them.
import { connectionFaults } from "./connections.ts";
import type { Fault } from "./fault.ts";
import { processFaults } from "./processes.ts";
import { queueFaults } from "./queues.ts";
import { receiverFaults } from "./receivers.ts";
import { alarmFaults, serverFaults } from "./servers.ts";

export const faults: readonly Fault[] = [
  ...processFaults,
  ...serverFaults,
  ...connectionFaults,
  ...alarmFaults,
  ...queueFaults,
  ...receiverFaults,
];
