// `npm run demo -- survive`: steady traffic on a private platform, whose parts die when keys are pressed, and one line that counts
// (interface §9). The figures are the same as in chaos.
import { onStopRequest } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { type Environment, startEnvironment } from "./environment.ts";
import { type ChaosPlatform, startChaosPlatform } from "./platform.ts";
import type { Counts } from "./reconcile.ts";
import { readCounts, settle, startRun } from "./settle.ts";
import { startTraffic } from "./traffic.ts";

const VICTIMS: Readonly<Record<string, string>> = {
  g: "gateway",
  o: "orders",
  c: "content",
  w: "webhooks",
  p: "postgres",
  r: "rabbitmq",
};
const STOP_KEYS = ["q", "\u0003"];
const OPERATIONS_PER_SECOND = 30;
const SHOWN_EVERY_MS = 500;
const SETTLE_TIMEOUT_MS = 180_000;

/** Resolves with the exit status when q or Ctrl-C is pressed: 1 if anything was lost. */
export async function survive(): Promise<number> {
  await using running = new AsyncDisposableStack();
  const stopRequest = new Promise<void>((resolve) => {
    onStopRequest(() => resolve());
  });
  const starting = startEnvironment("survive", running, startChaosPlatform);
  const environment = await Promise.race([starting, stopRequest]);
  return environment === undefined ? 130 : await show(environment, stopRequest);
}

async function show(environment: Environment<ChaosPlatform>, stopRequest: Promise<void>): Promise<number> {
  const { platform, tenants } = environment;
  const before = startRun(environment, new Date());
  const traffic = startTraffic(platform.url, tenants, OPERATIONS_PER_SECOND);
  const kills = new Map<string, number>();
  console.log(
    "\nOrders and redirects keep coming. Keys: g gateway, o orders, c content, w webhooks, p Postgres and r RabbitMQ die by kill -9; q ends it.\n",
  );
  const stopKey = untilStopKey((victim) => {
    kills.set(victim, (kills.get(victim) ?? 0) + 1);
    for (const name of processesOf(platform, victim)) platform.process(name).kill();
  });
  const stopped = Promise.race([stopRequest, stopKey]);
  let isStopping = false;
  void stopped.then(() => {
    isStopping = true;
  });
  while (!isStopping) {
    await Promise.race([stopped, sleep(SHOWN_EVERY_MS)]);
    // Nothing can be read while Postgres is down.
    const counts = await readCounts(environment, traffic, { before, repairedAt: 0 }).catch(() => null);
    if (counts !== null) write(lineOf(counts, counts.missing, kills));
  }
  write("Waiting for what is under way …");
  await traffic.stop();
  await platform.untilReady();
  const run = { before, repairedAt: 0, timeoutMs: SETTLE_TIMEOUT_MS };
  const counts = await settle(environment, traffic, run);
  write(`${lineOf(counts, counts.lost, kills)}\n`);
  return counts.lost === 0 ? 0 : 1;
}

function processesOf(platform: ChaosPlatform, victim: string): string[] {
  return platform.processNames.filter((name) => name === victim || name.startsWith(`${victim}-`));
}

/** Calls `onVictim` for each key that names one. Resolves at q, Ctrl-C or the end of the input. */
function untilStopKey(onVictim: (victim: string) => void): Promise<void> {
  const { stdin } = process;
  if (stdin.isTTY) stdin.setRawMode(true);
  return new Promise((resolve) => {
    const stop = () => {
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.destroy();
      resolve();
    };
    stdin.on("end", stop);
    stdin.on("data", (typed) => {
      for (const key of String(typed)) {
        const victim = VICTIMS[key];
        if (victim !== undefined) onVictim(victim);
        if (STOP_KEYS.includes(key)) stop();
      }
    });
  });
}

/** `lost` counts what was acknowledged and is not committed; in the end also what has not arrived. */
function lineOf(counts: Counts, lost: number, kills: ReadonlyMap<string, number>): string {
  const { acknowledged, committed, published, delivered, duplicated } = counts;
  const killed = [...kills].map(([victim, count]) => `${victim} ${count}`).join(", ") || "nothing yet";
  return `acknowledged ${acknowledged}  committed ${committed}  published ${published}  delivered ${delivered}  lost ${lost}  twice ${duplicated}  killed: ${killed}`;
}

/** Replaces the line on a terminal. */
function write(line: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
}
