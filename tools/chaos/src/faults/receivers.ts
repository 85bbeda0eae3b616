// Receivers of webhooks that fail.
import { sleep } from "@tradepost/runtime";
import type { Behaviour } from "@tradepost/testing";
import type { Fault } from "./fault.ts";

const RECEIVERS: readonly (readonly [string, Behaviour])[] = [
  ["hangs", () => "hang"],
  ["resets", () => "reset"],
  ["answers 500", () => 500],
];

export const receiverFaults: readonly Fault[] = RECEIVERS.map(([what, behaviour]) => ({
  name: `receiver ${what}`,
  strike: async ({ receiver, lastMs }) => {
    receiver.behave(behaviour);
    await sleep(lastMs);
    receiver.behave(() => 200);
  },
}));
