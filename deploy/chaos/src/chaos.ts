// `npm run chaos [-- --fault NAME --events N]`: the promise, proved on your own machine. A private stack with two of each
// service, a steady stream of orders and redirects, one fault after the other; then what was wanted, promised, committed
// and delivered. Exit status 1 where anything was lost or came out wrong.
import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { issueCertificate } from "@tradepost/testing";
import { Command } from "commander";
import { type Fault, faults } from "./faults.ts";
import type { Row } from "./ledger.ts";
import { head, rowLine, total } from "./report.ts";
import { faultsOf, runFault } from "./run-fault.ts";
import { startStack } from "./stack.ts";
import { makeTenants } from "./tenants.ts";
import { startHearing, startReceiving } from "./witness.ts";

const TENANTS = 4;
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
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-chaos-"));
  // Where we are root, Postgres runs as somebody else, who must pass through.
  await chmod(dataDir, 0o755);
  const stack = await startStack(dataDir, console.log);
  const authority = path.join(stack.dataDir, "ca/authority");
  const receiver = await startReceiving(
    await issueCertificate(
      {
        certificate: await readFile(`${authority}.crt`, "utf8"),
        key: await readFile(`${authority}.key`, "utf8"),
      },
      ["localhost", "127.0.0.1"],
    ),
  );
  const hearing = startHearing(stack.rabbitmq.amqpUrl);
  try {
    await hearing.whenUp();
    const tenants = await makeTenants(stack.url, stack.databases.gateway, TENANTS, receiver.url);
    for (const [index, { signingSecret }] of tenants.entries())
      receiver.expect(`/chaos-${index + 1}`, signingSecret);
    const setting = {
      ...{ stack, receiver, hearing, tenants },
      lastMs: Number(options.lastMs),
      operations: Number(options.events),
      operationsPerSecond: Number(options.rate),
    };
    return await strikeAll(chosen, setting, options.json);
  } finally {
    await hearing.stop();
    await receiver.stop();
    await stack.stop();
  }
}

async function strikeAll(
  chosen: readonly Fault[],
  setting: Parameters<typeof runFault>[1],
  jsonFile: string | undefined,
): Promise<number> {
  console.log(`\n${head(NAME_WIDTH)}`);
  const results: { fault: string; row: Row; wrong: string[] }[] = [];
  for (const fault of chosen) {
    const row = await runFault(fault, setting);
    const wrong = faultsOf(fault, row);
    results.push({ fault: fault.name, row, wrong });
    console.log(rowLine(fault.name, row, NAME_WIDTH));
    if (wrong.length > 0) console.log(`  not as promised: ${wrong.join(", ")}`);
  }
  const all = total(results.map(({ row }) => row));
  console.log(rowLine("all of them", all, NAME_WIDTH));
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify({ results, all }, null, 2)}\n`);
  return results.some(({ wrong }) => wrong.length > 0) ? 1 : 0;
}
