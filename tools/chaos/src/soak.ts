// `npm run tool -- soak [--minutes N]`: finds problems that show only over time. It runs the private platform of `npm run chaos` under
// steady traffic without faults, and samples its memory, handles, connections, tables and queues. The exit status is 1 if one of
// them grows without bound, or if a delivery guarantee does not hold.
import { table } from "@tradepost/ops/table";
import { sleep } from "@tradepost/runtime";
import { Command } from "commander";
import { type Environment, startEnvironment } from "./environment.ts";
import { analyzeGrowth, type Sample } from "./growth.ts";
import { startChaosPlatform } from "./platform.ts";
import { tableHeader, tableRow } from "./report.ts";
import { sample } from "./sampler.ts";
import { settle, startRun } from "./settle.ts";
import { startTraffic } from "./traffic.ts";
import { violationsOf } from "./violations.ts";

const SAMPLE_EVERY_MS = 3_000;
const SETTLE_TIMEOUT_MS = 60_000;

interface Options {
  minutes: string;
  rate: string;
}

const program = new Command("soak")
  .description("Runs a private Tradepost under steady traffic and checks that nothing grows without bound.")
  .option("--minutes <n>", "duration of the traffic", "20")
  .option("--rate <n>", "operations per second", "30");
program.parse();
process.exit(await run(program.opts<Options>()));

async function run(options: Options): Promise<number> {
  const [minutes, operationsPerSecond] = [Number(options.minutes), Number(options.rate)];
  if (!(minutes > 0) || !(operationsPerSecond > 0)) {
    console.error("--minutes and --rate must be numbers above 0.");
    return 1;
  }
  await using running = new AsyncDisposableStack();
  const environment = await startEnvironment("soak", running, startChaosPlatform);
  console.log(`${operationsPerSecond} operations per second for ${minutes} minutes …`);
  const { counts, samples } = await soak(environment, minutes, operationsPerSecond);
  const series = analyzeGrowth(samples);
  const growing = series.filter(({ grows }) => grows).map(({ name }) => `${name} grows`);
  const violations = [...violationsOf({}, counts), ...growing];
  console.log(`\n${table(series, "Nothing was measured.")}\n`);
  console.log(`${tableHeader(5)}\n${tableRow("soak", counts, 5)}\n`);
  console.log(
    violations.length === 0 ? "Nothing grows, nothing is lost." : `Violations: ${violations.join(", ")}.`,
  );
  return violations.length === 0 ? 0 : 1;
}

async function soak(environment: Environment, minutes: number, operationsPerSecond: number) {
  const { platform, tenants } = environment;
  const startedAt = Date.now();
  const endsAt = startedAt + minutes * 60_000;
  const before = startRun(environment, new Date(startedAt - 1_000));
  const traffic = startTraffic(platform.url, tenants, operationsPerSecond);
  const samples: Sample[] = [];
  while (Date.now() < endsAt) {
    samples.push({ minutes: (Date.now() - startedAt) / 60_000, values: await sample(platform) });
    await sleep(Math.min(SAMPLE_EVERY_MS, Math.max(0, endsAt - Date.now())));
  }
  // There is no fault; this time makes the recovery show that the last operations are still delivered.
  const repairedAt = Date.now() - SAMPLE_EVERY_MS;
  await traffic.stop();
  const counts = await settle(environment, traffic, { before, repairedAt, timeoutMs: SETTLE_TIMEOUT_MS });
  return { counts, samples };
}
