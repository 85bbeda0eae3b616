// Reads and reconciles the results of a run until nothing is missing any more.
import { sleep } from "@tradepost/runtime";
import type { Environment } from "./environment.ts";
import type { ChaosPlatform } from "./platform.ts";
import { readCommittedData } from "./read-committed-data.ts";
import { type Counts, reconcile } from "./reconcile.ts";
import type { Traffic } from "./traffic.ts";

const POLL_MS = 500;

/** The counters at the start of a run. They continue over all runs. */
export interface RunStart {
  readonly since: Date;
  readonly badSignatures: number;
  readonly unexpectedExits: number;
}

/** Empties the observers, so that they hold only this run. All commits after `since` belong to it. */
export function startRun(
  { platform, webhookObserver, eventObserver }: Environment<ChaosPlatform>,
  since: Date,
): RunStart {
  eventObserver.events.length = 0;
  webhookObserver.webhooks.length = 0;
  return {
    since,
    badSignatures: webhookObserver.badSignatureCount(),
    unexpectedExits: countUnexpectedExits(platform),
  };
}

/** Resolves when nothing is missing any more, or after `timeoutMs`. Deliveries may still be on their way when the traffic ends. */
export async function settle(
  environment: Environment<ChaosPlatform>,
  { operations, failedRequests }: Traffic,
  run: { before: RunStart; repairedAt: number; timeoutMs: number },
): Promise<Counts> {
  const { platform, webhookObserver, eventObserver } = environment;
  const { before, repairedAt, timeoutMs } = run;
  const read = async () =>
    reconcile({
      ...(await readCommittedData(platform.databases, before.since)),
      ...{ operations, failedRequests, repairedAt },
      observedEvents: eventObserver.events,
      webhooks: webhookObserver.webhooks,
      badSignatures: webhookObserver.badSignatureCount() - before.badSignatures,
      unexpectedExits: countUnexpectedExits(platform) - before.unexpectedExits,
    });
  const deadline = Date.now() + timeoutMs;
  let counts = await read();
  while (counts.lost > 0 && Date.now() < deadline) {
    await sleep(POLL_MS);
    counts = await read();
  }
  return counts;
}

function countUnexpectedExits(platform: ChaosPlatform): number {
  const exits = platform.processNames.map((name) => platform.process(name).unexpectedExits());
  return exits.reduce((sum, count) => sum + count, 0);
}
