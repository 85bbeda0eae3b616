// One fault from its first request to the last webhook: the stream begins, the fault strikes, the platform settles, and
// what was seen is added up.
import { sleep } from "@tradepost/runtime";
import { readCommitted } from "./committed.ts";
import type { Fault, Scene } from "./faults/fault.ts";
import { latencyOf, slowness } from "./latency.ts";
import { type Row, reconcile } from "./reconcile.ts";
import { startStream } from "./stream.ts";

const APART_MS = 1_000;
const STEADY_BEFORE_MS = 2_000;
const STEADY_AFTER_MS = 3_000;
// The sweep's period and grace, the schedule's waits, and what a slow machine makes of them.
const SETTLE_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;

export interface Setting extends Scene {
  /** How many operations at least, and how many a second. */
  readonly operations: number;
  readonly operationsPerSecond: number;
}

export interface Outcome {
  readonly row: Row;
  /** In words, what is not as promised; nothing where all is. */
  readonly wrong: readonly string[];
  /** What the fault measured itself. */
  readonly notes: readonly string[];
}

export async function runFault(fault: Fault, setting: Setting): Promise<Outcome> {
  const { platform, receiver, hearing, tenants } = setting;
  // Apart from what came before: databases round to milliseconds.
  await sleep(APART_MS);
  const since = new Date(Date.now() - APART_MS / 2);
  hearing.heard.length = 0;
  receiver.webhooks.length = 0;
  const forgedBefore = receiver.forgedCount();
  const deathsBefore = deaths();
  const stream = startStream(platform.url, tenants, setting.operationsPerSecond);
  const startedAt = Date.now();
  await sleep(STEADY_BEFORE_MS);
  const struckAt = Date.now();
  const [notes, failures]: [string[], string[]] = [[], []];
  const [note, fail] = [
    (figure: string) => void notes.push(figure),
    (what: string) => void failures.push(what),
  ];
  await fault.strike({ ...setting, stream, note, fail });
  const healedAt = Date.now();
  await sleep(STEADY_AFTER_MS);
  while (stream.operations.length < setting.operations) await sleep(LOOK_EVERY_MS);
  await stream.stop();
  const stoppedAt = Date.now();
  if (fault.keepsPace) {
    const within = (from: number, to: number) => latencyOf(stream.operations, { from, to }, stoppedAt);
    const [before, during] = [within(startedAt, struckAt), within(struckAt, healedAt)];
    const after = within(healedAt, stoppedAt);
    for (const [when, latency] of Object.entries({ before, during, after }))
      note(`requests of the stream ${when}: p50 ${latency?.p50Ms} ms, p99 ${latency?.p99Ms} ms`);
    failures.push(...slowness({ before, during, after }));
  }

  const observe = async () => ({
    ...(await readCommitted(platform.databases, since)),
    operations: stream.operations,
    refusals: stream.refusals,
    heard: hearing.heard,
    webhooks: receiver.webhooks,
    forged: receiver.forgedCount() - forgedBefore,
    healedAt,
    unexpectedExits: deaths() - deathsBefore,
  });
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  let row = reconcile(await observe());
  while (row.lost > 0 && Date.now() < deadline) {
    await sleep(LOOK_EVERY_MS);
    row = reconcile(await observe());
  }
  return { row, wrong: [...faultsOf(fault, row), ...failures], notes };

  function deaths(): number {
    const names = [...platform.services.map(({ name }) => name), "rabbitmq", "postgres"];
    return names.reduce((sum, name) => sum + platform.process(name).unexpectedExits(), 0);
  }
}

// What a client may be told while it lasts: that there is no answer now. Whoever speaks to what is being killed may get
// none at all.
const NOT_NOW = new Set(["0", "502", "503", "504"]);

/** Out: in words, what is not as promised; nothing where all is. */
export function faultsOf({ mayRefuse }: Pick<Fault, "mayRefuse">, row: Row): string[] {
  const wrong = (count: number, what: string) => (count > 0 ? [`${count} ${what}`] : []);
  const refused = Object.entries(row.refused).filter(([status]) => !mayRefuse || !NOT_NOW.has(status));
  return [
    ...wrong(row.lost, "lost"),
    ...wrong(row.attempted - row.acknowledged, "never acknowledged"),
    ...wrong(row.unexpected, "unexpected"),
    ...wrong(row.outOfOrder, "out of order"),
    ...wrong(row.unexpectedExits, "processes ended by themselves"),
    ...refused.map(([status, count]) =>
      status === "0" ? `${count} requests without an answer` : `${count} requests answered ${status}`,
    ),
    ...(row.recoverySeconds === null ? ["no recovery seen"] : []),
  ];
}
