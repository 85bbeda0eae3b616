// `npm run bench [-- NAME]`: measures how fast the platform is on this machine, as ratios to baselines that run in turn with
// it. It starts a private platform with one process of each service and nothing switched off.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { onStopRequest } from "@tradepost/devstack";
import { Command } from "commander";
import { benches } from "./benches/all.ts";
import type { Bench, Scale } from "./benches/bench.ts";
import { formatResult } from "./format-result.ts";
import { observePlatform } from "./observe.ts";
import { startBenchPlatform } from "./platform.ts";
import { startReceivers } from "./receivers.ts";
import type { Result } from "./result.ts";

const FULL: Scale = {
  isShort: false,
  seconds: 8,
  turns: 3,
  relayEvents: 100_000,
  deliveries: 50_000,
  endpoints: 50,
  fanOutEvents: 3_000,
  hangingBacklog: 20_000,
  hangingTenants: 6,
  hangingEndpoints: 50,
  hangingEvents: 10,
  strangerSeconds: 15,
  ratesPerSecond: [50, 500],
  orderRatesPerSecond: [100, 500, 1_000],
  idleSeconds: 60,
  storedOrders: 5_000_000,
  storedDeliveries: 2_000_000,
  memoryMinutes: 10,
};
const SHORT: Scale = {
  isShort: true,
  seconds: 0.5,
  turns: 1,
  relayEvents: 1_000,
  deliveries: 200,
  endpoints: 8,
  fanOutEvents: 20,
  hangingBacklog: 100,
  hangingTenants: 2,
  hangingEndpoints: 2,
  hangingEvents: 2,
  strangerSeconds: 1,
  ratesPerSecond: [50],
  orderRatesPerSecond: [50],
  idleSeconds: 5,
  storedOrders: 1_000,
  storedDeliveries: 1_000,
  memoryMinutes: 0.02,
};

interface Options {
  short?: boolean;
  seconds: string;
  turns: string;
  json?: string;
}

const program = new Command("bench")
  .description("Measures a private Tradepost against baselines on the same machine.")
  .argument("[name]", "only benches whose name contains this text")
  .option("--seconds <n>", "duration of a run", String(FULL.seconds))
  .option("--turns <n>", "number of runs of Tradepost and of the baseline, in turn", String(FULL.turns))
  .option("--short", "run everything in about a minute; the figures mean nothing")
  .option("--json <file>", "also write the results to this file")
  .addHelpText(
    "after",
    `\nBenches:\n${benches.map(({ name, description }) => `  ${name}: ${description}`).join("\n")}`,
  );
program.parse();
process.exit(await run(program.args[0] ?? "", program.opts<Options>()));

async function run(name: string, options: Options): Promise<number> {
  const selected = benches.filter((bench) => bench.name.includes(name));
  const [seconds, turns] = [Number(options.seconds), Number(options.turns)];
  if (selected.length === 0) {
    console.error(`No such bench. The benches are: ${benches.map((bench) => bench.name).join(", ")}.`);
    return 1;
  }
  if (!(seconds > 0) || !(Number.isInteger(turns) && turns > 0)) {
    console.error("--seconds must be a number above 0, and --turns a whole number above 0.");
    return 1;
  }
  const running = new AsyncDisposableStack();
  const interrupted = new Promise<number>((resolve) => {
    onStopRequest(() => resolve(130));
  });
  try {
    const scale = options.short ? SHORT : { ...FULL, seconds, turns };
    return await Promise.race([interrupted, measure(selected, scale, options.json, running)]);
  } finally {
    await running.disposeAsync();
  }
}

async function measure(
  selected: readonly Bench[],
  scale: Scale,
  jsonFile: string | undefined,
  running: AsyncDisposableStack,
): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-"));
  // As root, Postgres runs under another account, which needs execute permission here.
  await chmod(dataDir, 0o755);
  running.defer(() => rm(dataDir, { recursive: true, force: true }));
  const platform = await startBenchPlatform(dataDir, console.log);
  running.defer(() => platform.kill());
  const receivers = await startReceivers(dataDir, new Array<string>(scale.endpoints).fill("127.0.0.1"));
  running.defer(() => receivers.stop());
  const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model };
  console.log(`${machine.cores} × ${machine.processor}, Node ${machine.node}, everything on this machine\n`);
  const context = { platform, receivers, scale, observe: observePlatform(platform) };
  const results: Result[] = [];
  for (const { name, target, run } of selected) {
    const result = { name, target, ...(await run(context)) };
    results.push(result);
    console.log(formatResult(result));
  }
  if (jsonFile !== undefined) {
    await writeFile(jsonFile, `${JSON.stringify({ machine, scale, results }, null, 2)}\n`);
  }
  return 0;
}
