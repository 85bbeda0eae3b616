// Runs one fault: starts the traffic, injects the fault, waits until all deliveries have arrived, and reconciles.
import type { TenantCredentials } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { Environment } from "./environment.ts";
import type { Fault, FaultContext } from "./faults/fault.ts";
import { startHistories } from "./history/histories.ts";
import type { ChaosPlatform, SingleNodePlatform } from "./platform.ts";
import { describeFailed } from "./reconcile.ts";
import { settle, startRun } from "./settle.ts";
import { startTraffic } from "./traffic.ts";
import { violationsOf } from "./violations.ts";

// The pause between two faults, because times in databases are rounded to milliseconds.
const GAP_MS = 1_000;
// Covers the retry schedule and the sweep's period and grace, with room for a slow machine.
const SETTLE_TIMEOUT_MS = 180_000;
const POLL_MS = 500;
// A history shows a fault only if requests about its resource overlap, so its clients send twice as many as the customers.
const HISTORIES_FACTOR = 2;
// One is enough to look for its cause; a fault of the service has dozens.
const HISTORY_FAULTS_SHOWN_MAX = 5;

export interface FaultRun<Injured extends ChaosPlatform = SingleNodePlatform>
  extends Environment<Injured>,
    Pick<FaultContext, "durationMs"> {
  readonly historyTenant: TenantCredentials;
  /** The traffic continues until at least this many operations have started. */
  readonly operationsMin: number;
  readonly operationsPerSecond: number;
  /** Before the fault, and after it. */
  readonly steadyMs: number;
}

export type FaultResult = Awaited<ReturnType<typeof runFault>>;

export async function runFault<Injured extends ChaosPlatform>(fault: Fault<Injured>, run: FaultRun<Injured>) {
  await sleep(GAP_MS);
  const before = startRun(run, new Date(Date.now() - GAP_MS / 2));
  const traffic = startTraffic(run.platform.url, run.tenants, run.operationsPerSecond);
  let isCutOff = false;
  const histories = await startHistories(run.platform.url, run.historyTenant, traffic.failedRequests, {
    readsMayShowLost: () => isCutOff,
    operationsPerSecond: run.operationsPerSecond * HISTORIES_FACTOR,
  });
  await sleep(run.steadyMs);

  const notes: string[] = [];
  const note = (figure: string) => void notes.push(figure);
  isCutOff = fault.readsMayShowLost === true;
  const primariesReplaced = () => {
    isCutOff = false;
  };
  await fault.inject({ ...run, note, primariesReplaced });
  if (isCutOff) throw new Error(`The fault "${fault.name}" did not report that its primaries were replaced.`);
  const repairedAt = Date.now();

  await sleep(run.steadyMs);
  while (traffic.operations.length < run.operationsMin) await sleep(POLL_MS);
  const [{ faults, ...checkedHistories }] = await Promise.all([histories.stop(), traffic.stop()]);
  const { checked, operations } = checkedHistories;
  const kinds = Object.entries(checked).map(([kind, count]) => `${count} of kind ${kind}`);
  note(`histories: ${kinds.join(", ")}, with ${operations} responses`);

  const settled = await settle(run, traffic, { before, repairedAt, timeoutMs: SETTLE_TIMEOUT_MS });
  const counts = { ...settled, notLinearizable: faults.length, histories: checkedHistories };
  const violations = [...violationsOf(fault, counts), ...faults.slice(0, HISTORY_FAULTS_SHOWN_MAX)];
  if (violations.length > 0) notes.push(...describeFailed(traffic.failedRequests));
  return { counts, violations, notes };
}
