// `npm run bench [-- NAME]`: how fast the platform is on this machine, as ratios to what the machine can do at best, each
// measured in turns in one run. A private platform, one process of each service, everything on.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { onStopRequest } from "@tradepost/devstack";
import { Command } from "commander";
import type { Bench, Scale } from "./bench-type.ts";
import { benches } from "./benches/all.ts";
import { startBenchPlatform } from "./platform.ts";
import { lines } from "./print.ts";
import { startReceivers } from "./receivers.ts";
import type { Result } from "./result.ts";

const FULL: Scale = {
  isShort: false,
  seconds: 8,
  turns: 3,
  relayEvents: 100_000,
  deliveries: 50_000,
  endpoints: 50,
  waitingAtHanging: 20_000,
  ratesPerSecond: [50, 500],
  orderRatesPerSecond: [100, 500, 1_000],
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
  waitingAtHanging: 100,
  ratesPerSecond: [50],
  orderRatesPerSecond: [50],
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
  .description("Measures a private Tradepost beside what this machine can do at best.")
  .argument("[name]", "only those whose name holds this")
  .option("--seconds <n>", "how long a run lasts", String(FULL.seconds))
  .option("--turns <n>", "how often ours and the baseline take turns", String(FULL.turns))
  .option("--short", "shows that everything works, in a minute; its figures say nothing")
  .option("--json <file>", "write the figures there, too")
  .addHelpText("after", `\nBenches:\n${benches.map(({ name, what }) => `  ${name}: ${what}`).join("\n")}`);
program.parse();
process.exit(await run(program.args[0] ?? "", program.opts<Options>()));

async function run(name: string, options: Options): Promise<number> {
  const chosen = benches.filter((bench) => bench.name.includes(name));
  const [seconds, turns] = [Number(options.seconds), Number(options.turns)];
  if (chosen.length === 0) {
    console.error(`No bench is called so. There are: ${benches.map((bench) => bench.name).join(", ")}.`);
    return 1;
  }
  if (!(seconds > 0) || !(Number.isInteger(turns) && turns > 0)) {
    console.error("--seconds must be a number above 0, and --turns a whole one.");
    return 1;
  }
  const running = new AsyncDisposableStack();
  const told = new Promise<number>((resolve) => {
    onStopRequest(() => resolve(130));
  });
  try {
    const scale = options.short ? SHORT : { ...FULL, seconds, turns };
    return await Promise.race([told, measure(chosen, scale, options.json, running)]);
  } finally {
    await running.disposeAsync();
  }
}

async function measure(
  chosen: readonly Bench[],
  scale: Scale,
  jsonFile: string | undefined,
  running: AsyncDisposableStack,
): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-"));
  // Where we are root, Postgres runs as somebody else, who must pass through.
  await chmod(dataDir, 0o755);
  running.defer(() => rm(dataDir, { recursive: true, force: true }));
  const platform = await startBenchPlatform(dataDir, console.log);
  running.defer(() => platform.kill());
  const receivers = await startReceivers(dataDir, scale.endpoints);
  running.defer(() => receivers.stop());
  const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model };
  console.log(`${machine.cores} × ${machine.processor}, Node ${machine.node}, everything on this machine\n`);
  const results: Result[] = [];
  for (const { name, target, run } of chosen) {
    const result = { name, target, ...(await run({ platform, receivers, scale })) };
    results.push(result);
    console.log(lines(result));
  }
  if (jsonFile !== undefined) {
    await writeFile(jsonFile, `${JSON.stringify({ machine, scale, results }, null, 2)}\n`);
  }
  return 0;
}
