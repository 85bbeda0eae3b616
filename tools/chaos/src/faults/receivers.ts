// A webhook receiver that fails.
import { sleep } from "@tradepost/runtime";
import type { Behaviour } from "@tradepost/testing";
import type { Fault } from "./fault.ts";

const FAILURES: readonly (readonly [string, Behaviour])[] = [
  ["hangs", () => "hang"],
  ["resets", () => "reset"],
  ["responds 500", () => 500],
];

export const receiverFaults: readonly Fault[] = FAILURES.map(([what, behaviour]) => ({
  name: `receiver ${what}`,
  inject: async ({ webhookObserver, durationMs }) => {
    webhookObserver.behave(behaviour);
    await sleep(durationMs);
    webhookObserver.behave(() => 200);
  },
}));
