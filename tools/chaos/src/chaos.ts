// `npm run chaos [-- --fault NAME --events N]`: the promise, proved on your own machine. A private platform with two of each
// service, a steady stream of orders and redirects, one fault after the other; then what was wanted, promised, committed
// and delivered. Exit status 1 where anything was lost or came out wrong.
import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onStopRequest } from "@tradepost/devstack";
import { sentenceOf, verify } from "@tradepost/ops/verify";
import { issueCertificate } from "@tradepost/testing";
import { Command } from "commander";
import { faults } from "./faults/all.ts";
import type { Fault } from "./faults/fault.ts";
import { startEventObserver, startWebhookObserver } from "./observer.ts";
import { type ChaosPlatform, startChaosPlatform } from "./platform.ts";
import { head, rowLine, total } from "./report.ts";
import { type Outcome, runFault } from "./run-fault.ts";
import { chaosTenants, HOSTILE_PATH, hostileTenant } from "./tenants.ts";

const NAME_WIDTH = Math.max(...faults.map(({ name }) => name.length));

interface Options {
  fault?: string;
  events: string;
  rate: string;
  lastMs: string;
  short?: boolean;
  json?: string;
}

const program = new Command("chaos")
  .description("Strikes a private Tradepost with every fault there is, and counts what comes of it.")
  .option("--fault <name>", "only those whose name holds this")
  .option("--events <n>", "operations for each fault, at least", "500")
  .option("--rate <n>", "operations a second", "60")
  .option("--last-ms <n>", "how long a fault lasts, where that can be told", "5000")
  .option("--short", "only the faults that are part of the tests")
  .option("--json <file>", "write the figures there, too");
program.parse();
process.exit(await run(program.opts<Options>()));

async function run(options: Options): Promise<number> {
  const chosen = faults.filter(
    ({ name, isShort }) => (!options.short || isShort) && name.includes(options.fault ?? ""),
  );
  if (chosen.length === 0) {
    console.error(`No fault is called so. There are: ${faults.map(({ name }) => name).join(", ")}.`);
    return 1;
  }
  const running = new AsyncDisposableStack();
  const told = new Promise<number>((resolve) => {
    onStopRequest(() => resolve(130));
  });
  try {
    return await Promise.race([told, bringUpAndStrike(chosen, options, running)]);
  } finally {
    await running.disposeAsync();
  }
}

async function bringUpAndStrike(
  chosen: readonly Fault[],
  options: Options,
  running: AsyncDisposableStack,
): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-chaos-"));
  // Where we are root, Postgres runs as somebody else, who must pass through.
  await chmod(dataDir, 0o755);
  const platform = await startChaosPlatform(dataDir, console.log);
  running.defer(() => platform.kill());
  const authority = path.join(platform.dataDir, "ca/authority");
  const certificate = await issueCertificate(
    {
      certificate: await readFile(`${authority}.crt`, "utf8"),
      key: await readFile(`${authority}.key`, "utf8"),
    },
    ["localhost", "127.0.0.1"],
  );
  const receiver = await startWebhookObserver(certificate);
  running.defer(() => receiver.stop());
  const hearing = startEventObserver(platform.rabbitmq.amqpUrl);
  running.defer(() => hearing.stop());
  await hearing.whenUp();
  const tenants = await chaosTenants(platform, receiver.url);
  for (const [index, { signingSecret }] of tenants.entries()) {
    receiver.expect(`/chaos-${index + 1}`, signingSecret);
  }
  const hostile = await hostileTenant(platform, receiver.url);
  receiver.expect(HOSTILE_PATH, hostile.signingSecret);
  return await strikeAll(
    chosen,
    {
      ...{ platform, receiver, hearing, tenants, hostile },
      lastMs: Number(options.lastMs),
      operations: Number(options.events),
      operationsPerSecond: Number(options.rate),
    },
    options.json,
  );
}

async function strikeAll(
  chosen: readonly Fault[],
  setting: Parameters<typeof runFault>[1],
  jsonFile: string | undefined,
): Promise<number> {
  console.log(`\n${head(NAME_WIDTH)}`);
  const startedAt = new Date();
  const results: (Outcome & { fault: string })[] = [];
  for (const fault of chosen) {
    const { row, wrong, notes } = await runFault(fault, setting);
    results.push({ fault: fault.name, row, wrong, notes });
    console.log(rowLine(fault.name, row, NAME_WIDTH));
    for (const note of notes) console.log(`  ${note}`);
    if (wrong.length > 0) console.log(`  not as promised: ${wrong.join(", ")}`);
  }
  const all = total(results.map(({ row }) => row));
  console.log(rowLine("all of them", all, NAME_WIDTH));
  const counts = await verify(addressesOf(setting.platform), startedAt);
  console.log(
    `\n${counts.faults.map(sentenceOf).join("\n") || "The ledger adds up: everything is accounted for."}`,
  );
  if (jsonFile !== undefined) {
    await writeFile(jsonFile, `${JSON.stringify({ results, all, ledger: counts }, null, 2)}\n`);
  }
  return results.some(({ wrong }) => wrong.length > 0) || counts.faults.length > 0 ? 1 : 0;
}

function addressesOf({ databases, rabbitmq }: ChaosPlatform) {
  return { databases, amqpUrl: rabbitmq.amqpUrl, managementUrl: rabbitmq.managementUrl };
}
